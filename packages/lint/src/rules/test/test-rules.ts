import type { LintRule } from '../../rule/lint-rule.ts';

/** Tests of policies. */
export const TEST_RULES: readonly LintRule[] = [];
