import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type Expression } from '@tollgate/policy';
import type { ReadCondition } from '../../solver/reader/read-condition.ts';
import type { RuleLogic } from '../phases/rule-logic.ts';

/** An expression of a rule and its condition. */
export interface AnalyzedExpression {
  readonly expression: Expression;
  readonly typed: TypedAst;
  /** Read on first use. */
  readonly condition: ReadCondition;
  readonly ruleLogic: RuleLogic;
}

/** Returns the expressions of a rule; none if one of them has an error. */
export function expressionsOf(ruleLogic: RuleLogic): readonly AnalyzedExpression[] {
  if (ruleLogic.approximation === undefined) return [];
  return ruleLogic.rule.expressions.map((_, index) => new LazyExpression(ruleLogic, index));
}

class LazyExpression implements AnalyzedExpression {
  readonly expression: Expression;
  readonly typed: TypedAst;
  readonly ruleLogic: RuleLogic;
  readonly #index: number;

  constructor(ruleLogic: RuleLogic, index: number) {
    this.expression = ruleLogic.rule.expressions[index]!;
    this.typed = this.expression.typed!;
    this.ruleLogic = ruleLogic;
    this.#index = index;
  }

  get condition(): ReadCondition {
    return this.ruleLogic.expressions![this.#index]!;
  }
}

/** Returns the range of a part of the expression in the document. */
export function placeIn({ expression }: AnalyzedExpression, range: Range): Range {
  return documentRange(expression.text, range);
}
