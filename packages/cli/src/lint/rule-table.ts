import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';
import { type LintExample, type LintRule, unmark } from '@tollgate/lint';

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

function exampleOf({ policy, profile = 'edge-v2', endpoint }: LintExample): CodeExample {
  return { kind: 'policy', text: unmark(policy).text, profile, ...(endpoint !== undefined && { endpoint }) };
}
