import type { LintRule } from '../../rule-api/lint-rule.ts';
import { PASSTHROUGH_CONFLICT } from './passthrough-conflict.ts';
import { RESULT_BEFORE_ACTION } from './result-before-action.ts';
import { STALE_AFTER_MUTATION } from './stale-after-mutation.ts';

/** Lint rules about when rules run and what earlier actions changed. */
export const PHASE_RULES: readonly LintRule[] = [PASSTHROUGH_CONFLICT, RESULT_BEFORE_ACTION, STALE_AFTER_MUTATION];
