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
import type { TrafficState } from '../state/traffic-state.ts';
import { activationBuilder, type BuildActivation } from './build-activation.ts';

/** An expression ready to run on states. */
export interface StateExpression {
  readonly type: Type;
  readonly evaluate: (state: TrafficState) => Value | EvaluationError | Unknown;
}

/** Makes an expression in the configuration of an action ready; `text`: a scalar, for the text that CEL makes of it. */
export type CompileExpression = (source: string, context: ExpressionContext, as?: 'text') => StateExpression;

/** Compiles an expression in the configuration of an action, or of our own making: one that has been checked, or that is right if the catalog is. */
export const compileExpression: CompileExpression = (source, context, as) => {
  const { typed, build } = readExpression(source, context, as);
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
  /** Where what was written begins in the source of the tree. */
  readonly offset: number;
}

/** On lines of its own, since the expression may end in a comment. */
const TEXT_OF = 'string(\n';

/** Checks an expression that is known to be right: what is wrong with it is an {@link InternalError}. */
export function readExpression(source: string, context: ExpressionContext, as?: 'text'): ReadyExpression {
  const whole = as === 'text' ? `${TEXT_OF}${source}\n)` : source;
  const { typed, diagnostics } = checkExpression(whole, context);
  if (typed === undefined) throw new InternalError(`\`${source}\`: ${diagnostics[0]?.message}`);
  const inlined = inlineBodies(typed, context.environment);
  return {
    typed: inlined,
    build: activationBuilder(context.profile, context.place, [inlined]),
    offset: as === 'text' ? TEXT_OF.length : 0,
  };
}
