import type { LintRule } from '../../rule/lint-rule.ts';
import { ALL_NEGATED_LIST } from './all-negated-list.ts';
import { ALLOW_WITHOUT_DENY } from './allow-without-deny.ts';
import { ALWAYS_TRUE } from './always-true.ts';
import { AND_OR_PRECEDENCE } from './and-or-precedence.ts';
import { BOOL_COMPARISON } from './bool-comparison.ts';
import { CASE_MISMATCH } from './case-mismatch.ts';
import { CATCH_ALL_NOT_LAST } from './catch-all-not-last.ts';
import { CONSTANT_EXPRESSION } from './constant-expression.ts';
import { CONTRADICTION_ACROSS_LIST } from './contradiction-across-list.ts';
import { DOUBLE_NEGATION } from './double-negation.ts';
import { DUPLICATE_OPERAND } from './duplicate-operand.ts';
import { DUPLICATE_RULE } from './duplicate-rule.ts';
import { IMPOSSIBLE_RANGE } from './impossible-range.ts';
import { MERGEABLE_RULES } from './mergeable-rules.ts';
import { NEGATED_OR } from './negated-or.ts';
import { NEVER_MATCHES } from './never-matches.ts';
import { NO_EFFECT_ACTION } from './no-effect-action.ts';
import { NON_TERMINATING_POLICY } from './non-terminating-policy.ts';
import { ORDER_SENSITIVE_PAIR } from './order-sensitive-pair.ts';
import { PARTIAL_SHADOW } from './partial-shadow.ts';
import { PREFER_IN } from './prefer-in.ts';
import { REDUNDANT_RULE } from './redundant-rule.ts';
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
  PARTIAL_SHADOW,
  REDUNDANT_RULE,
  DUPLICATE_RULE,
  MERGEABLE_RULES,
  CATCH_ALL_NOT_LAST,
  NON_TERMINATING_POLICY,
  ALLOW_WITHOUT_DENY,
  ORDER_SENSITIVE_PAIR,
  NO_EFFECT_ACTION,
  CASE_MISMATCH,
];
