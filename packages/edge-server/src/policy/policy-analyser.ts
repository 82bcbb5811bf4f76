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
import type { PolicyInRequest, Traffic } from './policy-in-request.ts';

/** Returns the diagnostics of the analysis and of lint rules, like the command line. */
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

/** Creates an analyser that builds environments on first use and checks each distinct expression once. */
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
  return ({ source, part, traffic, anyProfile, errorsOnly }) => {
    const profile = anyProfile ? detectProfile(source.text).profile : EDGE_V2;
    const options = { ...target(profile, traffic), expressions, ...(part && { part }) };
    const { diagnostics } = lintText(source, options, linters.errors);
    const isWrong = diagnostics.some(({ severity }) => severity === 'error');
    return errorsOnly && !isWrong ? [] : lintText(source, options, linters.all).diagnostics;
  };
}

/** Creates linters with all recommended lint rules and with those that can report errors, which suffice for most policies. */
function createLinters(): { readonly all: Linter; readonly errors: Linter } {
  const { active, adjust } = resolveRules(LINT_RULES, undefined, []);
  const errors = active.filter(one => mayReport(one, 'error'));
  return { all: createLinter(active, { adjust }), errors: createLinter(errors, { adjust }) };
}
