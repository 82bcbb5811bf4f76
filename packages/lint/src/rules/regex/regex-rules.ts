import type { LintRule } from '../../rule/lint-rule.ts';

/** Regular expressions. */
export const REGEX_RULES: readonly LintRule[] = [];
