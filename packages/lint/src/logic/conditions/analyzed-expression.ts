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
  readonly of: RuleLogic;
}

/** Returns the expressions of a rule; none if one of them has an error. */
export function expressionsOf(of: RuleLogic): readonly AnalyzedExpression[] {
  if (of.approximation === undefined) return [];
  return of.rule.expressions.map((_, index) => new LazyExpression(of, index));
}

class LazyExpression implements AnalyzedExpression {
  readonly expression: Expression;
  readonly typed: TypedAst;
  readonly of: RuleLogic;
  readonly #index: number;

  constructor(of: RuleLogic, index: number) {
    this.expression = of.rule.expressions[index]!;
    this.typed = this.expression.typed!;
    this.of = of;
    this.#index = index;
  }

  get condition(): ReadCondition {
    return this.of.expressions![this.#index]!;
  }
}

/** Returns the range of a part of the expression in the document. */
export function placeIn({ expression }: AnalyzedExpression, range: Range): Range {
  return documentRange(expression.text, range);
}
