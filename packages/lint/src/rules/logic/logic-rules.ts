import type { LintRule } from '../../rule/lint-rule.ts';
import { AND_OR_PRECEDENCE } from './and-or-precedence.ts';
import { BOOL_COMPARISON } from './bool-comparison.ts';
import { DOUBLE_NEGATION } from './double-negation.ts';
import { DUPLICATE_OPERAND } from './duplicate-operand.ts';
import { PREFER_IN } from './prefer-in.ts';
import { YODA } from './yoda.ts';

/** Conditions and how rules work together. */
export const LOGIC_RULES: readonly LintRule[] = [
  AND_OR_PRECEDENCE,
  DUPLICATE_OPERAND,
  BOOL_COMPARISON,
  DOUBLE_NEGATION,
  PREFER_IN,
  YODA,
];
