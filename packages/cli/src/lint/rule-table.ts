import type { CodeDescription } from '@tollgate/diagnostics';
import { type LintRule, unmark } from '@tollgate/lint';

/** What reports say about lint rules. */
export function ruleTable(rules: readonly LintRule[]): readonly CodeDescription[] {
  return rules.map(({ id, severity, summary, rationale, bad, good }) => ({
    code: id,
    severity: severity === 'off' ? 'info' : severity,
    summary,
    rationale,
    remedy: '',
    bad: exampleOf(bad),
    good: exampleOf(good),
  }));
}

function exampleOf({ policy, profile, endpoint }: LintRule['bad']): NonNullable<CodeDescription['bad']> {
  return {
    kind: 'policy',
    text: unmark(policy).text,
    ...(profile !== undefined && { profile }),
    ...(endpoint !== undefined && { endpoint }),
  };
}
