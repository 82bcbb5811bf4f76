import type { Expr } from '../../ast/ast.ts';
import type { Environment } from '../../environment/environment.ts';
import type { Activation } from '../../environment/program.ts';
import type { LoweredAst } from '../../lowering/lower.ts';
import type { RunContext } from '../../runtime/context/implementation.ts';
import { chargeRead } from '../../runtime/context/steps.ts';
import type { Type } from '../../types/type.ts';
import { EvaluationError, type NonValue, type Value } from '../../values/value.ts';

/** The result of running code. */
export type Outcome = Value | NonValue;

/**
 * The variables of comprehensions and blocks, one slot each, in one array per run. Programs without local variables share an empty array.
 */
export type Locals = unknown[];

/** A compiled expression. Returns its value in the representation of its static type. */
export type Code = (activation: Activation, locals: Locals) => Outcome;

/** The slot of a local variable, and the type whose representation it holds. */
export interface Local {
  readonly slot: number;
  readonly type: Type;
  /** True for an unread element of a list or map: reading it unboxes numbers and checks host data. */
  readonly raw: boolean;
  /** Computes the value on first read; until then the slot is undefined. */
  readonly compute?: Code;
}

/** The context of compiling. Recursion goes through `compile`, so the files for the node kinds need not import each other. */
export interface Compiler {
  readonly env: Environment;
  readonly typed: LoweredAst;
  readonly compile: (expr: Expr) => Code;
  readonly typeOf: (expr: Expr) => Type;
  /** Returns code for a value that is known at compile time. */
  readonly constant: (value: Outcome) => Code;
  /** Returns the value of code made by `constant`. */
  readonly constantOf: (code: Code) => Outcome | undefined;
  /** Returns the code, or constant code for its outcome if all of its parts are constant. */
  readonly fold: (code: Code, parts: readonly Code[]) => Code;
  /** Assigns a slot to a variable of the comprehension or block `scope`. */
  readonly bind: (scope: number, name: string, kept: Omit<Local, 'slot'>) => Local;
  readonly localOf: (scope: number, name: string) => Local | undefined;
  /** Shared by all runs; each run starts with the full budget. */
  readonly context: RunContext;
  /** Returns true if a loop evaluates the node repeatedly; values it reads as a whole are then charged to the budget. */
  readonly isRepeated: (expr: Expr) => boolean;
  /** Returns how many parts compiled so far spend steps; comparing two results shows whether the parts in between do. */
  readonly stepTakers: () => number;
  readonly takesSteps: () => void;
}

/** Creates an error with the location of an expression, once. */
export function errorAt(exprId: number, code: string, message: string): EvaluationError {
  return new EvaluationError(code, message, exprId);
}

/**
 * Returns a function that adds a location to errors of implementations. Implementations share their errors, so the last located error is
 * reused and a failing run allocates nothing.
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

/** Returns code that charges the budget for reading a whole value inside a loop. Literals are charged by the loop itself. */
export function chargedCode(code: Code, operand: Expr, compiler: Compiler): Code {
  if (!compiler.isRepeated(operand) || operand.kind === 'literal') return code;
  const { context } = compiler;
  compiler.takesSteps();
  return (activation, locals) => chargeRead(context, code(activation, locals));
}
