import type { LintRule } from '../../rule/lint-rule.ts';
import { EMPTY_PHASE } from './empty-phase.ts';

/** The document: its keys, scalars, limits. */
export const DOC_RULES: readonly LintRule[] = [EMPTY_PHASE];
