// What documents a code: its description, and for a lint rule the rule.

import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';
import { type LintExample, type LintRule, lintedText, unmark } from '@tollgate/lint';

/** A code with its documentation. */
export interface CodePage extends CodeDescription {
  /** The lint rule, if the code is one. */
  readonly rule?: LintRule;
}

/** Returns the documentation of a lint rule. A rule that is off by default is described as `info`, the severity it gets when enabled. */
export function describeRule({ id, severity, summary, rationale, bad, good }: LintRule): CodeDescription {
  return {
    code: id,
    severity: severity === 'off' ? 'info' : severity,
    summary,
    rationale,
    bad: exampleOf(bad),
    good: exampleOf(good),
  };
}

function exampleOf(example: LintExample): CodeExample {
  const { profile = 'edge-v2', endpoint, tests, isEdge } = example;
  const { text } = unmark(lintedText(example));
  if (tests !== undefined) return { kind: 'tests', text };
  return { kind: isEdge ? 'json' : 'policy', text, profile, ...(endpoint !== undefined && { endpoint }) };
}
