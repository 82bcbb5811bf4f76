import { SEVERITIES, type Severity } from '@tollgate/diagnostics';
import type { ActiveRule } from '../config/active-rule.ts';
import { LINT_RULES } from '../rules/lint-rules.ts';

/** Whether a lint rule may find something that is at least so grave. Those of users may, unless a configuration says how grave they are. */
export function mayReport({ rule, severity, isFixedSeverity }: ActiveRule, least: Severity): boolean {
  if (!isFixedSeverity && !LINT_RULES.includes(rule)) return true;
  const gravest = isFixedSeverity ? severity : (rule.gravest ?? severity);
  return SEVERITIES.indexOf(gravest) <= SEVERITIES.indexOf(least);
}
