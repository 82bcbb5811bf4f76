import { type EndpointKind, type Profile, REFUSALS } from '@tollgate/catalog';
import type { Diagnostic } from '@tollgate/diagnostics';
import {
  type ActiveRule,
  createLinter,
  LINT_RULES,
  type Linter,
  lintText,
  mayReport,
  resolveRules,
} from '@tollgate/lint';
import {
  type AnalysisOptions,
  createExpressionCache,
  createPhaseEnvironments,
  type PhaseEnvironments,
} from '@tollgate/policy';
import { candidateProfiles } from './candidate-profiles.ts';
import { openConnection } from './open-connection.ts';
import type { PolicyInRequest, Traffic } from './policy-in-request.ts';
import type { PolicyLint } from './policy-lint.ts';

/** Returns errors for what the service rejects, and warnings for all other findings. */
export type PolicyAnalyser = (place: PolicyInRequest) => readonly Diagnostic[];

const EDGE_ENDPOINTS = {
  http: 'https-route',
  tls: 'tls-edge',
  tcp: 'tcp-edge',
} as const satisfies Record<Traffic, EndpointKind>;
const CLOUD_ENDPOINTS = {
  http: 'http-endpoint',
  tls: 'tls-endpoint',
  tcp: 'tcp-endpoint',
} as const satisfies Record<Traffic, EndpointKind>;

/** With more errors than this, the detected profile is the right one and the policy is wrong: analysing it again would only take time. */
const MANY = 20;

/** Creates an analyser that builds environments on first use and checks each distinct expression once. */
export function createPolicyAnalyser(lint: PolicyLint): PolicyAnalyser {
  const targetOf = createTargets();
  const linters = createLinters(lint);
  return place => {
    const { source, part, traffic, errorsOnly } = place;
    const run = (target: Target, linter: Linter) =>
      lintText(source, { ...target, ...(part && { part }) }, linter).diagnostics;
    const errorsOf = (profile: Profile) =>
      run(targetOf(profile, traffic, lint !== 'error'), linters.refusing).filter(isError);
    const [detected, ...others] = candidateProfiles(place);
    const found = errorsOf(detected!);
    const isWrong = (profile: Profile) => found.length > MANY || errorsOf(profile).length > 0;
    const fitting = found.length === 0 ? detected : others.find(profile => !isWrong(profile));
    const errors = fitting ? [] : found;
    if (errorsOnly) return errors;
    const all = run(targetOf(fitting ?? detected!, traffic, false), linters.all);
    return [...errors, ...all.flatMap(one => asWarning(one, errors))].toSorted((a, b) => a.range.start - b.range.start);
  };
}

/** An error that is not among the reasons for a refusal is only a warning. */
function asWarning(found: Diagnostic, errors: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!isError(found)) return [found];
  const { start, end } = found.range;
  const isKnown = errors.some(({ range }) => range.start >= start && range.end <= end);
  return isKnown ? [] : [{ ...found, severity: 'warning' }];
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

type Target = Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments' | 'expressions'>;

function createTargets(): (profile: Profile, traffic: Traffic, isOpen: boolean) => Target {
  const made = new Map<string, Target>();
  const expressions = createExpressionCache();
  return (given, traffic, isOpen) => {
    const endpoint = [EDGE_ENDPOINTS[traffic], CLOUD_ENDPOINTS[traffic]].find(one => given.endpoints.includes(one))!;
    const key = `${given.name} ${endpoint} ${isOpen}`;
    const known = made.get(key);
    if (known) return known;
    const profile = isOpen ? openConnection(given) : given;
    const environments: PhaseEnvironments = createPhaseEnvironments(profile, endpoint);
    const target = { profile, endpoint, environments, expressions };
    made.set(key, target);
    return target;
  };
}

const REFUSED: ReadonlySet<string> = new Set(REFUSALS.flatMap(({ codes }) => codes));

/** Creates linters with the lint rules that reject policies, and with all that run. Rules whose finding is a documented refusal always run. */
function createLinters(lint: PolicyLint): { readonly all: Linter; readonly refusing: Linter } {
  const { active, adjust } = resolveRules(LINT_RULES, undefined, []);
  const refuses = (one: ActiveRule) => mayReport(one, 'error') && (lint === 'error' || REFUSED.has(one.rule.id));
  const refusing = createLinter(active.filter(refuses), { adjust });
  return { refusing, all: lint === 'off' ? refusing : createLinter(active, { adjust }) };
}
