import type { ActionFact, ProfileSwitches } from './schema/action-fact.ts';
import type { EndpointKind, FunctionFact, NamedType, ObjectFact, Phase, VariableFact } from './schema/fact.ts';
import type { Profile } from './schema/profile.ts';

/** Where an addition is available; everywhere when absent. */
interface OptionalAvailability {
  readonly phases?: readonly Phase[];
  readonly endpoints?: readonly EndpointKind[];
}

/** Makes keys with a default optional. */
type Addition<T, Needed extends keyof T> = Pick<T, Needed> &
  Partial<Omit<T, Needed | 'phases' | 'endpoints'>> &
  OptionalAvailability;

/** What a user adds to a profile or removes from it, in the shape of the catalog. */
export interface Extension {
  readonly variables?: readonly Addition<VariableFact, 'path' | 'type'>[];
  readonly objects?: readonly Addition<ObjectFact, 'name'>[];
  readonly functions?: readonly Addition<FunctionFact, 'name' | 'params' | 'result'>[];
  readonly actions?: readonly Addition<ActionFact, 'type'>[];
  /** Names, and paths with everything below them. */
  readonly remove?: {
    readonly variables?: readonly string[];
    readonly functions?: readonly string[];
    readonly actions?: readonly string[];
  };
  /** Answers to open questions that override the profile's. */
  readonly switches?: Partial<ProfileSwitches>;
  /** Values that override the profile's limits, by name. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Whether values with an open type may also be compared with values of the other type; `open` when absent. */
  readonly openTypes?: 'open' | 'closed';
}

/**
 * Returns the profile with the extension applied. An addition replaces the fact of the same name. Returns the same object if the
 * extension is empty.
 */
export function extendProfile(profile: Profile, extension: Extension): Profile {
  if (changesNothing(extension)) return profile;
  const { remove = {}, openTypes } = extension;
  const variables = (extension.variables ?? []).map(fact => variableOf(profile, fact));
  const functions = (extension.functions ?? []).map(fact => functionOf(profile, fact));
  const actions = (extension.actions ?? []).map(fact => actionOf(profile, fact));
  const keep = <T>(
    facts: readonly T[],
    nameOf: (fact: T) => string,
    added: readonly T[],
    gone: readonly string[] = [],
  ) => [
    ...facts.filter(
      fact => !gone.some(name => isBelow(nameOf(fact), name)) && !added.some(one => nameOf(one) === nameOf(fact)),
    ),
    ...added,
  ];
  const all = keep(profile.variables, fact => fact.path, variables, remove.variables);
  const objects = extension.objects?.map(object => ({ doc: '', ...object })) ?? [];
  return {
    ...profile,
    variables: openTypes === 'closed' ? all.map(closed) : all,
    objects: keep(profile.objects, fact => fact.name, objects),
    functions: keep(profile.functions, fact => fact.name, functions, remove.functions),
    actions: keep(profile.actions, fact => fact.type, actions, remove.actions),
    limits: profile.limits.map(limit => ({ ...limit, value: extension.limits?.[limit.name] ?? limit.value })),
    switches: { ...profile.switches, ...extension.switches },
  };
}

function changesNothing({ openTypes = 'open', remove = {}, switches = {}, ...added }: Extension): boolean {
  const lists = [...Object.values(added), ...Object.values(remove)];
  return openTypes === 'open' && Object.keys(switches).length === 0 && lists.every(list => list.length === 0);
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`);
}

function closed({ alsoReadAs: _, ...fact }: VariableFact): VariableFact {
  return fact;
}

function availabilityOf(profile: Profile, { phases, endpoints }: OptionalAvailability) {
  return { phases: phases ?? profile.phases, endpoints: endpoints ?? profile.endpoints };
}

function variableOf(profile: Profile, fact: NonNullable<Extension['variables']>[number]): VariableFact {
  const example = { expression: fact.path, value: fact.path };
  return { doc: '', source: 'chosen', sample: null, example, ...fact, ...availabilityOf(profile, fact) };
}

function functionOf(profile: Profile, fact: NonNullable<Extension['functions']>[number]): FunctionFact {
  const types = fact.params.map(param => param.type.replaceAll(/\W+/g, '_'));
  const overloadId = ['extension', fact.name.replaceAll('.', '_'), ...types].join('_');
  const opaque =
    fact.body === undefined && fact.implementation === undefined
      ? 'it is declared without an implementation'
      : undefined;
  return {
    ...{ overloadId, doc: '', examples: [], source: 'chosen' as const },
    ...(opaque !== undefined && { opaque }),
    ...fact,
    ...availabilityOf(profile, fact),
  };
}

function actionOf(profile: Profile, fact: NonNullable<Extension['actions']>[number]): ActionFact {
  return {
    ...{ doc: '', terminates: 'never' as const, outcome: 'no response of its own', config: [], example: undefined },
    source: 'chosen',
    ...fact,
    ...availabilityOf(profile, fact),
  };
}

/** Variables such as `$args` that a URL replacement may use in addition to capture groups. A name extends over letters, digits and `_`. */
export const REPLACEMENT_VARIABLES: readonly NamedType[] = [
  ['args', 'The query, without the question mark.'],
  ['query_string', 'The query, without the question mark.'],
  ['is_args', 'A question mark if the URL has a query.'],
  ['uri', 'The path and query.'],
  ['scheme', '`http` or `https`.'],
  ['host', 'The host, without the port.'],
  ['authority', 'The host, with the port if given.'],
  ['port', 'The port.'],
  ['user', 'The user name and password.'],
  ['is_user', 'An `@` if the URL has a user.'],
].map(([name, doc]) => ({ name: name!, type: 'string', doc: doc! }));

/** Prefix of query parameters: `$arg_page` is the first value of `page`, or the empty string. */
export const PARAMETER_PREFIX = 'arg_';
