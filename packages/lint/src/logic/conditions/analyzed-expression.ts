import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type Expression } from '@tollgate/policy';
import type { Condition } from '@tollgate/solver/conditions';
import type { RuleLogic } from '../phases/rule-logic.ts';

/** An expression of a rule and its condition. */
export interface AnalyzedExpression {
  readonly expression: Expression;
  readonly typed: TypedAst;
  /** Read on first use. */
  readonly condition: Condition;
  readonly ruleLogic: RuleLogic;
}

/** Returns the expressions of a rule; none if one of them has an error. */
export function expressionsOf(ruleLogic: RuleLogic): readonly AnalyzedExpression[] {
  if (!ruleLogic.isComplete) return [];
  return ruleLogic.rule.expressions.map(expression => ({
    ...{ expression, ruleLogic, typed: expression.typed! },
    get condition() {
      return ruleLogic.read(expression.typed!);
    },
  }));
}

/** Returns the range of a part of the expression in the document. */
export function placeIn({ expression }: AnalyzedExpression, range: Range): Range {
  return documentRange(expression.text, range);
}
