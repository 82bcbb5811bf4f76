import { compileToJavaScript, type EvaluationError, type TypedAst, type Unknown, type Value } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import type { ExpressionContext } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { dialectOf } from '../message/dialect.ts';
import { initialState } from '../state/recorded-state.ts';
import { activationBuilder } from '../values/build-activation.ts';

/** Evaluates an expression on an exchange as received; variables in `values` have these values. */
export type ExchangeExpression = (
  exchange: Exchange,
  values?: Readonly<Record<string, unknown>>,
) => Value | EvaluationError | Unknown;

/** Compiles a checked expression, to evaluate it on exchanges before any rule changed them. */
export function exchangeExpression(
  typed: TypedAst,
  { profile, place, environment }: ExpressionContext,
): ExchangeExpression {
  const inlined = inlineBodies(typed, environment);
  const build = activationBuilder(profile, place, [inlined]);
  const program = compileToJavaScript(inlined, environment);
  const options = { dialect: dialectOf(profile), assumptions: {} };
  return (exchange, values = {}) =>
    program.evaluate({ ...build(initialState(exchange, options)), ...values }) as ReturnType<ExchangeExpression>;
}
