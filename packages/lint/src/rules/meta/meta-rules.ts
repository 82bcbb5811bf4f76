import type { LintRule } from '../../rule/lint-rule.ts';

/** The linter's own configuration and suppressions. */
export const META_RULES: readonly LintRule[] = [];
