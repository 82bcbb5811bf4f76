import type { LintRule } from '../../rule/lint-rule.ts';

/** Names and values of headers. */
export const HEADER_RULES: readonly LintRule[] = [];
