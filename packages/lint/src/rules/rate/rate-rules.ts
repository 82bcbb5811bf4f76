import type { LintRule } from '../../rule/lint-rule.ts';

/** Rate limits. */
export const RATE_RULES: readonly LintRule[] = [];
