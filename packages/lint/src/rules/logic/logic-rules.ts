import type { LintRule } from '../../rule-api/lint-rule.ts';
import { ALL_NEGATED_LIST } from './condition/all-negated-list.ts';
import { ALWAYS_TRUE } from './condition/always-true.ts';
import { AND_OR_PRECEDENCE } from './condition/and-or-precedence.ts';
import { BOOL_COMPARISON } from './condition/bool-comparison.ts';
import { CASE_MISMATCH } from './condition/case-mismatch.ts';
import { CONSTANT_EXPRESSION } from './condition/constant-expression.ts';
import { CONTRADICTION_ACROSS_LIST } from './condition/contradiction-across-list.ts';
import { DOUBLE_NEGATION } from './condition/double-negation.ts';
import { DUPLICATE_OPERAND } from './condition/duplicate-operand.ts';
import { IMPOSSIBLE_RANGE } from './condition/impossible-range.ts';
import { NEGATED_OR } from './condition/negated-or.ts';
import { NEVER_MATCHES } from './condition/never-matches.ts';
import { PREFER_IN } from './condition/prefer-in.ts';
import { YODA } from './condition/yoda.ts';
import { ALLOW_WITHOUT_DENY } from './order/allow-without-deny.ts';
import { CATCH_ALL_NOT_LAST } from './order/catch-all-not-last.ts';
import { DUPLICATE_RULE } from './order/duplicate-rule.ts';
import { MERGEABLE_RULES } from './order/mergeable-rules.ts';
import { NO_EFFECT_ACTION } from './order/no-effect-action.ts';
import { NON_TERMINATING_POLICY } from './order/non-terminating-policy.ts';
import { ORDER_SENSITIVE_PAIR } from './order/order-sensitive-pair.ts';
import { PARTIAL_SHADOW } from './order/partial-shadow.ts';
import { REDUNDANT_RULE } from './order/redundant-rule.ts';
import { SHADOWED_DIFFERENT_ACTION } from './order/shadowed-different-action.ts';
import { UNREACHABLE_RULE } from './order/unreachable-rule.ts';

/** Lint rules about conditions and the interaction of rules. */
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
