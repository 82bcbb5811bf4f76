import type { LintRule } from '../../rule/lint-rule.ts';
import { ALWAYS_TRUE } from './always-true.ts';
import { AND_OR_PRECEDENCE } from './and-or-precedence.ts';
import { BOOL_COMPARISON } from './bool-comparison.ts';
import { CONSTANT_EXPRESSION } from './constant-expression.ts';
import { DOUBLE_NEGATION } from './double-negation.ts';
import { DUPLICATE_OPERAND } from './duplicate-operand.ts';
import { IMPOSSIBLE_RANGE } from './impossible-range.ts';
import { NEGATED_OR } from './negated-or.ts';
import { NEVER_MATCHES } from './never-matches.ts';
import { PREFER_IN } from './prefer-in.ts';
import { YODA } from './yoda.ts';

/** Conditions and how rules work together. */
export const LOGIC_RULES: readonly LintRule[] = [
  CONSTANT_EXPRESSION,
  ALWAYS_TRUE,
  NEVER_MATCHES,
  IMPOSSIBLE_RANGE,
  NEGATED_OR,
  AND_OR_PRECEDENCE,
  DUPLICATE_OPERAND,
  BOOL_COMPARISON,
  DOUBLE_NEGATION,
  YODA,
  PREFER_IN,
];
