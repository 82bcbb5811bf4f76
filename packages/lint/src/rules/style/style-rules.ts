import type { LintRule } from '../../rule/lint-rule.ts';
import { RULE_NAME_MISSING } from './rule-name-missing.ts';
import { TODO_COMMENT } from './todo-comment.ts';

/** Names, length, layout. */
export const STYLE_RULES: readonly LintRule[] = [RULE_NAME_MISSING, TODO_COMMENT];
