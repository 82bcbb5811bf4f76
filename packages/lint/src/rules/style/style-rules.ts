import type { LintRule } from '../../rule-api/lint-rule.ts';
import { AMBIGUOUS_RULE_NAME } from './ambiguous-rule-name.ts';
import { DUPLICATE_RULE_NAME } from './duplicate-rule-name.ts';
import { KEY_ORDER } from './key-order.ts';
import { LONG_EXPRESSION } from './long-expression.ts';
import { NAME_CONTRADICTS_EFFECT } from './name-contradicts-effect.ts';
import { NAMING_CONVENTION } from './naming-convention.ts';
import { QUOTE_STYLE } from './quote-style.ts';
import { RULE_NAME_MISSING } from './rule-name-missing.ts';
import { TODO_COMMENT } from './todo-comment.ts';

/** Lint rules about names, length and layout. */
export const STYLE_RULES: readonly LintRule[] = [
  AMBIGUOUS_RULE_NAME,
  DUPLICATE_RULE_NAME,
  KEY_ORDER,
  LONG_EXPRESSION,
  NAME_CONTRADICTS_EFFECT,
  NAMING_CONVENTION,
  QUOTE_STYLE,
  RULE_NAME_MISSING,
  TODO_COMMENT,
];
