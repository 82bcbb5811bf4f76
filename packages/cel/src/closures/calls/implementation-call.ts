import type { Overload } from '../../ast/declaration.ts';
import type { Environment } from '../../environment/environment.ts';
import { createsSized } from '../../lowering/call-steps.ts';
import type { Implementation } from '../../runtime/context/implementation.ts';
import { chargeResult } from '../../runtime/context/steps.ts';
import { EvaluationError, NonValue } from '../../values/value.ts';
import { type Code, type Compiler, locator, type Outcome } from '../code/code.ts';

/** An implementation as the evaluator calls it: the context is bound, and the arguments are those of the overload. */
export type Operation = (...args: Outcome[]) => Outcome;

const NOT_IMPLEMENTED = new EvaluationError('eval/not-implemented', 'the function has no implementation');

/** A declared function without an implementation is an evaluation error, because an environment may be meant for checking only. */
export function implementationOf({ id }: Overload, env: Environment): Implementation {
  return (
    env.implementations.get(id) ?? env.libraryImplementations.get(id) ?? { call: () => NOT_IMPLEMENTED, total: false }
  );
}

export function operationOf(implementation: Implementation, compiler: Compiler): Operation {
  const call = implementation.call as (...args: unknown[]) => Outcome;
  if (!implementation.needsContext) return call;
  const { context } = compiler;
  compiler.takesSteps();
  return (...args) => call(context, ...args);
}

/** A call and its possible overloads. */
interface Called {
  readonly exprId: number;
  readonly overloads: readonly Overload[];
}

/** Completes the outcome of a call: an error gets its location, and a new value is charged to the budget. */
function settler({ exprId, overloads }: Called, compiler: Compiler): (outcome: Outcome) => Outcome {
  const locate = locator(exprId);
  const settle = (outcome: Outcome): Outcome => (outcome instanceof NonValue ? locate(outcome) : outcome);
  if (!createsSized(overloads)) return settle;
  const { context } = compiler;
  compiler.takesSteps();
  return outcome => settle(chargeResult(context, outcome));
}

/**
 * Evaluates the operands from left to right and then applies the operation. The first operand that is an error or unknown is the result.
 */
export function callCode(operation: Operation, operands: readonly Code[], called: Called, compiler: Compiler): Code {
  const settle = settler(called, compiler);
  const [first, second] = operands;
  if (operands.length === 1 && first !== undefined) {
    return (activation, locals) => {
      const only = first(activation, locals);
      return only instanceof NonValue ? only : settle(operation(only));
    };
  }
  if (operands.length === 2 && first !== undefined && second !== undefined) {
    return (activation, locals) => {
      const left = first(activation, locals);
      if (left instanceof NonValue) return left;
      const right = second(activation, locals);
      return right instanceof NonValue ? right : settle(operation(left, right));
    };
  }
  return (activation, locals) => {
    const args: Outcome[] = [];
    for (const operand of operands) {
      const outcome = operand(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      args.push(outcome);
    }
    return settle(operation(...args));
  };
}

/** Applies an operator whose fast path did not apply to operands that are already evaluated. */
export function slowPath(operation: Operation, exprId: number): (left: Outcome, right: Outcome) => Outcome {
  const locate = locator(exprId);
  return (left, right) => {
    if (left instanceof NonValue) return left;
    if (right instanceof NonValue) return right;
    const outcome = operation(left, right);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}
