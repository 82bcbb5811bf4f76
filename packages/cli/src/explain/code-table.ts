import { CEL_CODES } from '@tollgate/cel/codes';
import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';
import { SERVER_CODES } from '@tollgate/edge-server/codes';
import { LINT_RULES, type LintExample, type LintRule } from '@tollgate/lint';
import { POLICY_PACKAGE_CODES } from '@tollgate/policy/codes';
import { TRAFFIC_CODES } from '@tollgate/traffic/codes';
import { COMMAND_CODES } from './command-codes.ts';

/** A code with what is known of it, as pages show it. */
export interface CodePage extends CodeDescription {
  /** Of a lint rule. */
  readonly rule?: LintRule;
}

/** Every code that Tollgate reports: of lint rules, and of everything else. Sorted by area, then name. */
export const CODE_PAGES: readonly CodePage[] = [
  ...CEL_CODES,
  ...POLICY_PACKAGE_CODES,
  ...TRAFFIC_CODES,
  ...SERVER_CODES,
  ...COMMAND_CODES,
  ...LINT_RULES.map(describeRule),
].sort((a, b) => (a.code < b.code ? -1 : 1));

function describeRule(rule: LintRule): CodePage {
  const { id, severity, summary, rationale, bad, good } = rule;
  return {
    code: id,
    // A lint rule that is off runs as `info` when it is asked for.
    severity: severity === 'off' ? 'info' : severity,
    summary,
    rationale,
    bad: exampleOf(bad),
    good: exampleOf(good),
    rule,
  };
}

/** The marks say what a lint rule points at, and are no part of the policy. */
function exampleOf({ policy, profile = 'edge-v2', endpoint }: LintExample): CodeExample {
  return { kind: 'policy', text: policy.replaceAll(/[«»]/g, ''), profile, ...(endpoint !== undefined && { endpoint }) };
}
