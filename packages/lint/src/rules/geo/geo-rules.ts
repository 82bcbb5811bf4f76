import type { LintRule } from '../../rule/lint-rule.ts';

/** Countries. */
export const GEO_RULES: readonly LintRule[] = [];
