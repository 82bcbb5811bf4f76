import type { LintRule } from '../../rule/lint-rule.ts';

/** When rules run, and what earlier actions changed. */
export const PHASE_RULES: readonly LintRule[] = [];
