import type { LintRule } from '../../rule/lint-rule.ts';
import { ALL_NEGATED_LIST } from './all-negated-list.ts';
import { ALWAYS_TRUE } from './always-true.ts';
import { AND_OR_PRECEDENCE } from './and-or-precedence.ts';
import { BOOL_COMPARISON } from './bool-comparison.ts';
import { CATCH_ALL_NOT_LAST } from './catch-all-not-last.ts';
import { CONSTANT_EXPRESSION } from './constant-expression.ts';
import { CONTRADICTION_ACROSS_LIST } from './contradiction-across-list.ts';
import { DOUBLE_NEGATION } from './double-negation.ts';
import { DUPLICATE_OPERAND } from './duplicate-operand.ts';
import { DUPLICATE_RULE } from './duplicate-rule.ts';
import { IMPOSSIBLE_RANGE } from './impossible-range.ts';
import { NEGATED_OR } from './negated-or.ts';
import { NEVER_MATCHES } from './never-matches.ts';
import { PREFER_IN } from './prefer-in.ts';
import { SHADOWED_DIFFERENT_ACTION } from './shadowed-different-action.ts';
import { UNREACHABLE_RULE } from './unreachable-rule.ts';
import { YODA } from './yoda.ts';

/** Conditions and how rules work together. */
export const LOGIC_RULES: readonly LintRule[] = [
  CONSTANT_EXPRESSION,
  ALWAYS_TRUE,
  NEVER_MATCHES,
  CONTRADICTION_ACROSS_LIST,
  ALL_NEGATED_LIST,
  NEGATED_OR,
  IMPOSSIBLE_RANGE,
  AND_OR_PRECEDENCE,
  DUPLICATE_OPERAND,
  BOOL_COMPARISON,
  DOUBLE_NEGATION,
  YODA,
  PREFER_IN,
  UNREACHABLE_RULE,
  SHADOWED_DIFFERENT_ACTION,
  DUPLICATE_RULE,
  CATCH_ALL_NOT_LAST,
];
