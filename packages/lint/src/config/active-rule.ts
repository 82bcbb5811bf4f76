import type { Severity } from '@tollgate/diagnostics';
import type { LintRule } from '../rule-api/lint-rule.ts';

/** A lint rule that runs, and how it was configured. */
export interface ActiveRule {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** Whether a configuration said the severity: then a finding cannot say another. */
  readonly isFixedSeverity: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A lint rule as it is without a configuration; those that are off are `info`. */
export function activate(rule: LintRule, options: Readonly<Record<string, unknown>> = {}): ActiveRule {
  const severity = rule.severity === 'off' ? 'info' : rule.severity;
  return { rule, severity, isFixedSeverity: false, options: { ...defaultsOf(rule), ...options } };
}

/** The options of a lint rule as they are when nothing is set. */
export function defaultsOf({ options = [] }: LintRule): Readonly<Record<string, unknown>> {
  return Object.fromEntries(options.map(field => [field.name, field.default]));
}
