import type { LintRule } from '../../rule/lint-rule.ts';

/** Paths, rewriting, redirects. */
export const URL_RULES: readonly LintRule[] = [];
