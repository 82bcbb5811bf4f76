import type { EndpointKind } from '@tollgate/catalog';
import { analyzePolicies } from '@tollgate/policy';
import { type Finding, findingsIn } from './finding.ts';
import { type PolicyOptions, policySource } from './policy-options.ts';

/** The result of {@link analyze}. */
export interface AnalyzeResult {
  /** All errors and warnings, in source order. */
  readonly findings: readonly Finding[];
  /** The given or detected profile. */
  readonly profile: string;
  readonly endpoint: EndpointKind;
}

/** Checks a policy in YAML or JSON, as `tollgate check` does. Never throws for what the policy contains. */
export function analyze(policy: string, options: PolicyOptions = {}): AnalyzeResult {
  const { source, target, part } = policySource(policy, options);
  const { diagnostics } = analyzePolicies(source, { ...target, ...(part && { part }) });
  return { findings: findingsIn(source, diagnostics), profile: target.profile.name, endpoint: target.endpoint };
}
