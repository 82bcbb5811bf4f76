import type { Expr } from '../../ast/ast.ts';
import type { Environment } from '../../environment/environment.ts';
import type { Activation } from '../../environment/program.ts';
import type { LoweredAst } from '../../lowering/lower.ts';
import type { RunContext } from '../../runtime/context/implementation.ts';
import { looked } from '../../runtime/context/steps.ts';
import type { Type } from '../../types/type.ts';
import { EvaluationError, type NonValue, type Value } from '../../values/value.ts';

/** What running a piece of code gives. */
export type Outcome = Value | NonValue;

/** The variables of comprehensions and blocks, one slot each, in one array a run. Programs without any all run on the same empty one. */
export type Locals = unknown[];

/** An expression made executable. Gives its value in the representation of its static type. */
export type Code = (activation: Activation, locals: Locals) => Outcome;

/** Where a local variable is kept, and in which type's representation. */
export interface Local {
  readonly slot: number;
  readonly type: Type;
  /** An element of a list or map, as it stands there: reading it takes boxes off and checks host data. */
  readonly raw: boolean;
  /** Computes the value when it is first read; the slot is undefined until then. */
  readonly compute?: Code;
}

/** What the compilers of the kinds of node work with; the recursion goes through `compile`, so that they need not see each other. */
export interface Compiler {
  readonly env: Environment;
  readonly typed: LoweredAst;
  readonly compile: (expr: Expr) => Code;
  readonly typeOf: (expr: Expr) => Type;
  /** Makes code for a value that is known now. */
  readonly constant: (value: Outcome) => Code;
  /** The value of code made by `constant`. */
  readonly constantOf: (code: Code) => Outcome | undefined;
  /** The code itself, or that of its outcome when all that it is made of is known now. */
  readonly fold: (code: Code, parts: readonly Code[]) => Code;
  /** Gives a slot to a variable that the comprehension or block `scope` binds. */
  readonly bind: (scope: number, name: string, kept: Omit<Local, 'slot'>) => Local;
  readonly localOf: (scope: number, name: string) => Local | undefined;
  /** Of all runs; the steps that are left are set anew for each. */
  readonly context: RunContext;
  /** Whether a loop runs the node again and again: what it looks at takes steps then. */
  readonly isRepeated: (expr: Expr) => boolean;
  /** How many parts have been compiled so far that take steps: tells whether a part just compiled has any. */
  readonly stepTakers: () => number;
  readonly takesSteps: () => void;
}

/** Makes the error of one place in the program, once. */
export function errorAt(exprId: number, code: string, message: string): EvaluationError {
  return new EvaluationError(code, message, exprId);
}

/**
 * Gives a function that says of an error from an implementation where it arose. Implementations share their errors, so the
 * last one located is kept: a failing run allocates nothing.
 */
export function locator(exprId: number): (outcome: NonValue) => NonValue {
  let seen: EvaluationError | undefined;
  let located: EvaluationError | undefined;
  return outcome => {
    if (!(outcome instanceof EvaluationError) || outcome.exprId !== 0) return outcome;
    if (outcome !== seen || located === undefined) {
      seen = outcome;
      located = new EvaluationError(outcome.code, outcome.message, exprId);
    }
    return located;
  };
}

/** Code whose value takes the steps of looking at all of it, where a loop runs it again and again. A literal's are the loop's. */
export function lookedCode(code: Code, operand: Expr, compiler: Compiler): Code {
  if (!compiler.isRepeated(operand) || operand.kind === 'literal') return code;
  const { context } = compiler;
  compiler.takesSteps();
  return (activation, locals) => looked(context, code(activation, locals));
}
