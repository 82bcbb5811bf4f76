import type { Severity } from '@tollgate/diagnostics';
import type { LintRule } from '../rule-api/lint-rule.ts';

/** A lint rule that runs, with its configuration. */
export interface ActiveRule {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** True if settings fix the severity, so that findings cannot change it. */
  readonly isFixedSeverity: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns a lint rule with its defaults; one that is off becomes `info`. */
export function activate(rule: LintRule, options: Readonly<Record<string, unknown>> = {}): ActiveRule {
  const severity = rule.severity === 'off' ? 'info' : rule.severity;
  return { rule, severity, isFixedSeverity: false, options: { ...defaultsOf(rule), ...options } };
}

/** Returns the default options of a lint rule. */
export function defaultsOf({ options = [] }: LintRule): Readonly<Record<string, unknown>> {
  return Object.fromEntries(options.map(field => [field.name, field.default]));
}
