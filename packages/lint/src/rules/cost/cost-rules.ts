import type { LintRule } from '../../rule-api/lint-rule.ts';
import { CHEAP_FIRST } from './cheap-first.ts';
import { OVER_BUDGET } from './over-budget.ts';

/** What an evaluation may cost. */
export const COST_RULES: readonly LintRule[] = [OVER_BUDGET, CHEAP_FIRST];
