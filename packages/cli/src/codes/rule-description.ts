import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';
import { type LintExample, type LintRule, lintedText, unmark } from '@tollgate/lint';

/** What a lint rule says of itself, in the shape of all codes. One that is off runs as `info` when it is asked for. */
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
