import type { LintRule } from '../../rule/lint-rule.ts';

/** Versions and settings of TLS. */
export const TLS_RULES: readonly LintRule[] = [];
