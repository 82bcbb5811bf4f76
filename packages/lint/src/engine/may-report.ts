import { SEVERITIES, type Severity } from '@tollgate/diagnostics';
import type { ActiveRule } from '../config/active-rule.ts';
import { isOwnRule } from '../rules/lint-rules.ts';

/** Returns true if a lint rule may report a finding of at least this severity. Lint rules of users may, unless settings fix their severity. */
export function mayReport({ rule, severity, isFixedSeverity }: ActiveRule, least: Severity): boolean {
  if (!isFixedSeverity && !isOwnRule(rule)) return true;
  const highest = isFixedSeverity ? severity : (rule.maxSeverity ?? severity);
  return SEVERITIES.indexOf(highest) <= SEVERITIES.indexOf(least);
}
