import type { LintRule } from '../../rule/lint-rule.ts';

/** Methods, status codes, bodies. */
export const HTTP_RULES: readonly LintRule[] = [];
