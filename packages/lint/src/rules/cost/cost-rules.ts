import type { LintRule } from '../../rule-api/lint-rule.ts';
import { CHEAP_FIRST } from './cheap-first.ts';
import { OVER_BUDGET } from './over-budget.ts';

/** Lint rules about the cost of evaluation. */
export const COST_RULES: readonly LintRule[] = [OVER_BUDGET, CHEAP_FIRST];
