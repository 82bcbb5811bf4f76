import type { LintRule } from '../../rule/lint-rule.ts';

/** What rules cost when they run. */
export const COST_RULES: readonly LintRule[] = [];
