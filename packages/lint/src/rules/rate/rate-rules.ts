import type { LintRule } from '../../rule-api/lint-rule.ts';
import { AFTER_EXPENSIVE_ACTION } from './after-expensive-action.ts';
import { CLIENT_CONTROLLED_KEY } from './client-controlled-key.ts';
import { NAME_CONTRADICTS_WINDOW } from './name-contradicts-window.ts';

/** Lint rules about rate limits. */
export const RATE_RULES: readonly LintRule[] = [CLIENT_CONTROLLED_KEY, AFTER_EXPENSIVE_ACTION, NAME_CONTRADICTS_WINDOW];
