import {
  declarationsAt,
  type EvaluationContext,
  type FunctionFact,
  type ObjectDeclaration,
  PROFILES,
  type Profile,
  STRING_KEY,
} from '@tollgate/catalog';
import {
  createEnvironment,
  type Environment,
  EXTENSION_LIBRARIES,
  extendEnvironment,
  type FunctionDecl,
  type ObjectDecl,
} from '@tollgate/cel';
import { once } from '@tollgate/diagnostics';
import { limitOf } from '../document/document-node.ts';
import { parseType } from './explain-errors.ts';
import { implementationsOf } from './functions.ts';

/** The CEL environment of each phase. Phases that the profile does not have declare nothing of it. */
export type PhaseEnvironments = Readonly<Record<EvaluationContext['phase'], Environment>>;

/**
 * Returns the CEL environments of all phases of an endpoint, with all extension libraries. Throws a `TypeError` if
 * declarations of an extension conflict.
 */
export function createPhaseEnvironments(profile: Profile, endpoint: EvaluationContext['endpoint']): PhaseEnvironments {
  return environmentsAt(profile, endpoint);
}

/**
 * Returns a function that computes something of a profile and an endpoint: for the catalog's own profiles once, when it is first needed. Analysing a short
 * policy takes less time than creating environments.
 */
export function onceInCatalog<Made>(
  make: (profile: Profile, endpoint: EvaluationContext['endpoint']) => Made,
): (profile: Profile, endpoint: EvaluationContext['endpoint']) => Made {
  const known: ReadonlyMap<Profile, ReadonlyMap<EvaluationContext['endpoint'], () => Made>> = new Map(
    PROFILES.map(profile => [
      profile,
      new Map(profile.endpoints.map(endpoint => [endpoint, once(() => make(profile, endpoint))])),
    ]),
  );
  return (profile, endpoint) => (known.get(profile)?.get(endpoint) ?? (() => make(profile, endpoint)))();
}

const environmentsAt = onceInCatalog(build);

function build(profile: Profile, endpoint: EvaluationContext['endpoint']): PhaseEnvironments {
  // The simulator builds the data, so nothing in it is inherited.
  const base = createEnvironment({
    libraries: EXTENSION_LIBRARIES,
    libraryVersions: profile.libraryVersions,
    plainData: true,
  });
  const maxSourceLength = limitOf(profile, 'maxExpressionSize', base.limits.maxSourceLength);
  // Last: this limits what users write, not the bodies of catalog functions.
  const at = (phase: EvaluationContext['phase']) =>
    extendEnvironment(extend(base, profile, { endpoint, phase }), { limits: { maxSourceLength } });
  // Catalog declarations never conflict, so environments are created lazily: most policies have rules in one phase.
  if (isOfCatalog(profile)) return whenRead(everywhere(base), profile.phases, at);
  const environments = profile.phases.map(phase => [phase, at(phase)] as const);
  return { ...everywhere(base), ...Object.fromEntries(environments) };
}

function isOfCatalog(profile: Profile): boolean {
  return PROFILES.includes(profile);
}

/** Lazy, because each environment takes 0.9 ms at start-up. */
function whenRead(
  others: PhaseEnvironments,
  phases: readonly EvaluationContext['phase'][],
  make: (phase: EvaluationContext['phase']) => Environment,
): PhaseEnvironments {
  const environments = { ...others };
  for (const phase of phases)
    Object.defineProperty(environments, phase, { get: once(() => make(phase)), enumerable: true });
  return environments;
}

function everywhere(environment: Environment): PhaseEnvironments {
  return {
    inbound: environment,
    outbound: environment,
    on_tcp_connect: environment,
    on_http_request: environment,
    on_http_response: environment,
    on_event_stream_message: environment,
  };
}

function extend(base: Environment, profile: Profile, place: EvaluationContext): Environment {
  const { variables, objects, functions } = declarationsAt(profile, place);
  return extendEnvironment(base, {
    variables: variables.map(({ name, type, doc }) => ({ name, type: parseType(type), doc })),
    objects: objects.map(objectDecl),
    functions: functions.map(functionDecl),
    implementations: implementationsOf(profile),
    // The catalog's tests run its bodies with their examples.
    provenBodies: isOfCatalog(profile),
  });
}

function objectDecl({ name, fields, isString }: ObjectDeclaration): ObjectDecl {
  const declared = fields.map(({ name: field, type, doc, absent }) => {
    const mayBeAbsent = absent !== undefined && absent.value === undefined;
    return [field, { type: parseType(type), doc, mayBeAbsent }] as const;
  });
  return { name, fields: new Map(declared), ...(isString && { stringKey: STRING_KEY }) };
}

function functionDecl(fact: FunctionFact): FunctionDecl {
  const overload = {
    id: fact.overloadId,
    member: fact.member ?? false,
    params: fact.params.map(param => parseType(param.type)),
    result: parseType(fact.result),
    ...(fact.body !== undefined && { body: { paramNames: fact.params.map(param => param.name), source: fact.body } }),
    examples: fact.examples,
  };
  return { name: fact.name, doc: fact.doc, overloads: [overload] };
}
