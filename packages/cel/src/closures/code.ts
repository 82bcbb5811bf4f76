// What all closures share: their signature, the context in which they are compiled, and conversions between representations.

import type { Expr } from '../ast/ast.ts';
import { isOpen, type Type } from '../ast/types.ts';
import type { Activation, Environment } from '../checker/environment.ts';
import { givesHostData, mayBePartial } from '../lowering/fold-constants.ts';
import type { LoweredAst } from '../lowering/lower.ts';
import { chargeRead, type RunContext } from '../runtime/context.ts';
import { toTagged, toTyped } from '../runtime/host.ts';
import { nonValueIn } from '../runtime/host-access.ts';
import { EvaluationError, NonValue, type Value } from '../values/value.ts';

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

/** The static types to convert between, and the expression that fails if the value does not fit. */
interface Conversion {
  readonly from: Type;
  readonly to: Type;
  readonly exprId: number;
}

/** Returns code that converts values from the representation of `from` to that of `to`; most often the code itself. */
export function convertCode(code: Code, { from, to, exprId }: Conversion): Code {
  const convert = converterOf(from, to);
  if (convert === undefined) return code;
  const locate = locator(exprId);
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const converted = convert(outcome);
    return converted instanceof NonValue ? locate(converted) : converted;
  };
}

/** Like {@link convertCode}, for the result of a function: its lists and maps already hold elements in either form and are not searched. */
export function convertResult(code: Code, conversion: Conversion): Code {
  const { from, to } = conversion;
  return isOpen(from) || isOpen(to) || from.kind !== to.kind ? convertCode(code, conversion) : code;
}

type Converter = (value: never) => Outcome;

/** Undefined if both types have the same representation. */
function converterOf(from: Type, to: Type): ((value: Outcome) => Outcome) | undefined {
  return chooseConverter(from, to) as ((value: Outcome) => Outcome) | undefined;
}

function chooseConverter(from: Type, to: Type): Converter | undefined {
  if (from === to) return undefined;
  if (isOpen(to)) return isOpen(from) ? narrowing(from, to) : toTagged(from);
  if (isOpen(from)) return toTyped(to);
  if (from.kind !== to.kind) return mismatch(from, to);
  if (holdsTagged(to)) return toTagged(from);
  return holdsTagged(from) ? toTyped(to) : undefined;
}

/** Reached only by unchecked expressions, and by null where the checker accepts it for another type. */
function mismatch(from: Type, to: Type): Converter {
  const tag = toTagged(from) ?? (value => value);
  const untag = toTyped(to) ?? (value => value);
  return (value: Value) => untag(tag(value));
}

/** Converts dyn to a nullable scalar: both are tagged, but not every value fits. */
function narrowing(from: Type, to: Type): Converter | undefined {
  return to.kind === 'wrapper' && from.kind !== 'wrapper' ? toTyped(to) : undefined;
}

function holdsTagged(type: Type): boolean {
  switch (type.kind) {
    case 'list':
      return isOpen(type.element) || holdsTagged(type.element);
    case 'map':
      return isOpen(type.key) || isOpen(type.value) || holdsTagged(type.value);
    case 'optional':
      return isOpen(type.value) || holdsTagged(type.value);
    default:
      return false;
  }
}

/** Like {@link compileWhole}, for a parameter: types that cannot contain unknown parts are not searched for them. */
export function compileWholeFor(param: Type, expr: Expr, compiler: Compiler): Code {
  return mayBePartial(param) ? compileWhole(expr, compiler) : compiler.compile(expr);
}

/** Compiles an expression whose whole value is needed: a value with unknown parts is unknown. */
export function compileWhole(expr: Expr, compiler: Compiler): Code {
  const code = compiler.compile(expr);
  if (!givesHostData(expr) || !mayBePartial(compiler.typeOf(expr)) || compiler.constantOf(code) !== undefined)
    return code;
  const locate = locator(expr.id);
  const { context } = compiler;
  compiler.takesSteps();
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const part = nonValueIn(context, outcome);
    return part === undefined ? outcome : locate(part);
  };
}
