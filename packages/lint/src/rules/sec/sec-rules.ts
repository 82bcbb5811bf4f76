import type { LintRule } from '../../rule/lint-rule.ts';

/** Secrets and what is told to strangers. */
export const SEC_RULES: readonly LintRule[] = [];
