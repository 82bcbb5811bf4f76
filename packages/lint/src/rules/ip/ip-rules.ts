import type { LintRule } from '../../rule/lint-rule.ts';

/** Addresses and ranges of them. */
export const IP_RULES: readonly LintRule[] = [];
