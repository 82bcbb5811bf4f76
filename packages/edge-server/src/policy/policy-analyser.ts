import { EDGE_V2, type EndpointKind, type Profile } from '@tollgate/catalog';
import type { Diagnostic } from '@tollgate/diagnostics';
import { createLinter, LINT_RULES, type Linter, lintText, mayReport, resolveRules } from '@tollgate/lint';
import {
  type AnalysisOptions,
  createExpressionCache,
  createPhaseEnvironments,
  detectProfile,
  type PhaseEnvironments,
} from '@tollgate/policy';
import type { PolicyPlace, Traffic } from './policy-place.ts';

/** Analyses policies as the command line does: what the analysis finds, and what lint rules find. */
export type PolicyAnalyser = (place: PolicyPlace) => readonly Diagnostic[];

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

/** An analyser that makes its environments when they are first needed, and checks an expression that it knows only once. */
export function createPolicyAnalyser(): PolicyAnalyser {
  const made = new Map<string, PhaseEnvironments>();
  const expressions = createExpressionCache();
  const linters = createLinters();
  const target = (
    profile: Profile,
    traffic: Traffic,
  ): Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments'> => {
    const endpoint = [EDGE_ENDPOINTS[traffic], CLOUD_ENDPOINTS[traffic]].find(one => profile.endpoints.includes(one))!;
    const key = `${profile.name} ${endpoint}`;
    const environments = made.get(key) ?? createPhaseEnvironments(profile, endpoint);
    made.set(key, environments);
    return { profile, endpoint, environments };
  };
  return ({ source, part, traffic, anyDialect, errorsOnly }) => {
    const profile = anyDialect ? detectProfile(source.text).profile : EDGE_V2;
    const options = { ...target(profile, traffic), expressions, ...(part && { part }) };
    const { diagnostics } = lintText(source, options, linters.errors);
    const isWrong = diagnostics.some(({ severity }) => severity === 'error');
    return errorsOnly && !isWrong ? [] : lintText(source, options, linters.all).diagnostics;
  };
}

/** The recommended lint rules, and those of them that can refuse a policy: most policies have to pass only these. */
function createLinters(): { readonly all: Linter; readonly errors: Linter } {
  const { active, adjust } = resolveRules(LINT_RULES, undefined, []);
  const grave = active.filter(one => mayReport(one, 'error'));
  return { all: createLinter(active, { adjust }), errors: createLinter(grave, { adjust }) };
}
