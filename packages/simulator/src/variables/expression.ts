/** Expressions that run on states and on recorded exchanges. */
import {
  compileToJavaScript,
  type EvaluationError,
  type Type,
  type TypedAst,
  type Unknown,
  type Value,
} from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { InternalError } from '@tollgate/diagnostics';
import { checkExpression, type ExpressionContext } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { dialectOf } from '../exchange-state/dialect.ts';
import { initialState } from '../exchange-state/recorded-state.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { activationBuilder, type BuildActivation } from './activation.ts';

/** A compiled expression that runs on states. */
export interface StateExpression {
  readonly type: Type;
  readonly evaluate: (state: TrafficState) => Value | EvaluationError | Unknown;
}

/** Compiles an expression in an action's configuration; `text` converts a scalar result to a string. */
export type CompileExpression = (source: string, context: ExpressionContext, as?: 'text') => StateExpression;

/** Compiles an expression from the configuration of an action, or one of our own. It must have passed the check, or be correct by construction. */
export const compileExpression: CompileExpression = (source, context, as) => {
  const { typed, build } = readExpression(source, context, as);
  const program = compileToJavaScript(typed, context.environment);
  return {
    type: typed.resultType,
    evaluate: state => program.evaluate(build(state)) as ReturnType<StateExpression['evaluate']>,
  };
};

/** A typed expression with inlined function bodies, and the function that builds its activations. */
interface ReadyExpression {
  readonly typed: TypedAst;
  readonly build: BuildActivation;
  /** Offset of the original source in the source of the tree. */
  readonly offset: number;
}

/** On lines of its own, because the expression may end in a comment. */
const TEXT_OF = 'string(\n';

/** Checks an expression that is known to be valid; throws an {@link InternalError} otherwise. */
export function readExpression(source: string, context: ExpressionContext, as?: 'text'): ReadyExpression {
  const { typed, offset } = typedExpression(source, context, as);
  return { typed, build: activationBuilder(context.profile, context.place, [typed]), offset };
}

/** Does what {@link readExpression} does, without what runs it. */
export function typedExpression(
  source: string,
  context: ExpressionContext,
  as?: 'text',
): Omit<ReadyExpression, 'build'> {
  const whole = as === 'text' ? `${TEXT_OF}${source}\n)` : source;
  const { typed, diagnostics } = checkExpression(whole, context);
  if (typed === undefined) throw new InternalError(`\`${source}\`: ${diagnostics[0]?.message}`);
  return { typed: inlineBodies(typed, context.environment), offset: as === 'text' ? TEXT_OF.length : 0 };
}

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
