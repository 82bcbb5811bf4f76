import type { EndpointKind } from '@tollgate/catalog';
import { analyzeDocument } from './documents.ts';
import { type Finding, findingsIn } from './finding.ts';
import { type PolicyOptions, policyDocument } from './policy-options.ts';

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
  const document = policyDocument(policy, options);
  const { source, target } = document;
  return {
    findings: findingsIn(source, analyzeDocument(document)),
    profile: target.profile.name,
    endpoint: target.endpoint,
  };
}
