import type { LintRule } from '../../rule/lint-rule.ts';

/** Conditions and how rules work together. */
export const LOGIC_RULES: readonly LintRule[] = [];
