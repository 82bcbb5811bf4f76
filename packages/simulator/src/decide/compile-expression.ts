import {
  compileToJavaScript,
  type EvaluationError,
  inlineBodies,
  type Type,
  type Unknown,
  type Value,
} from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import { checkExpression, type ExpressionContext } from '@tollgate/policy';
import { activationBuilder } from './build-activation.ts';
import type { TrafficState } from './traffic-state.ts';

/** An expression ready to run on states. */
export interface StateExpression {
  readonly type: Type;
  readonly evaluate: (state: TrafficState) => Value | EvaluationError | Unknown;
}

/** Compiles an expression in the configuration of an action, or of our own making: one that has been checked, or that is right if the catalog is. */
export function compileExpression(source: string, context: ExpressionContext): StateExpression {
  const { typed, diagnostics } = checkExpression(source, context);
  if (typed === undefined) throw new InternalError(`\`${source}\`: ${diagnostics[0]?.message}`);
  const inlined = inlineBodies(typed, context.environment);
  const program = compileToJavaScript(inlined, context.environment);
  const build = activationBuilder(context.profile, context.place, [inlined]);
  return {
    type: typed.resultType,
    evaluate: state => program.evaluate(build(state)) as ReturnType<StateExpression['evaluate']>,
  };
}
