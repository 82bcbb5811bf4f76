import type { EndpointKind } from '@tollgate/catalog';
import { analyzeDocument, formatDocument } from './documents.ts';
import { type Finding, findingsIn, PolicyError, type PolicyOptions, policyDocument } from './policy-options.ts';

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

/** The options of {@link format}. */
export interface FormatOptions extends PolicyOptions {
  /** Maximum line length in UTF-16 code units; 100 by default. */
  readonly lineWidth?: number;
}

/** Returns a policy in canonical layout, as `tollgate fmt` does. Throws a {@link PolicyError} if it cannot be parsed. */
export function format(policy: string, options: FormatOptions = {}): string {
  const document = policyDocument(policy, options);
  const { text, diagnostics } = formatDocument(document, options.lineWidth);
  if (text === undefined) throw new PolicyError(findingsIn(document.source, diagnostics));
  return text;
}
