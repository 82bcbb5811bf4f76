import {
  compileToJavaScript,
  type EvaluationError,
  inlineBodies,
  type Type,
  type TypedAst,
  type Unknown,
  type Value,
} from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import { checkExpression, type ExpressionContext } from '@tollgate/policy';
import { activationBuilder, type BuildActivation } from './build-activation.ts';
import type { TrafficState } from './traffic-state.ts';

/** An expression ready to run on states. */
export interface StateExpression {
  readonly type: Type;
  readonly evaluate: (state: TrafficState) => Value | EvaluationError | Unknown;
}

/** Makes an expression in the configuration of an action ready. */
export type CompileExpression = (source: string, context: ExpressionContext) => StateExpression;

/** Compiles an expression in the configuration of an action, or of our own making: one that has been checked, or that is right if the catalog is. */
export const compileExpression: CompileExpression = (source, context) => {
  const { typed, build } = readExpression(source, context);
  const program = compileToJavaScript(typed, context.environment);
  return {
    type: typed.resultType,
    evaluate: state => program.evaluate(build(state)) as ReturnType<StateExpression['evaluate']>,
  };
};

/** An expression in which calls of functions with a body are replaced by the body, and what makes the objects that it reads. */
export interface ReadyExpression {
  readonly typed: TypedAst;
  readonly build: BuildActivation;
}

/** Checks an expression that is known to be right: what is wrong with it is an {@link InternalError}. */
export function readExpression(source: string, context: ExpressionContext): ReadyExpression {
  const { typed, diagnostics } = checkExpression(source, context);
  if (typed === undefined) throw new InternalError(`\`${source}\`: ${diagnostics[0]?.message}`);
  const inlined = inlineBodies(typed, context.environment);
  return { typed: inlined, build: activationBuilder(context.profile, context.place, [inlined]) };
}
