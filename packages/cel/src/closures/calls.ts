// Closures for calls of functions and operators, and for literals of lists, maps and objects.

import type { CallExpr, Expr, ListExpr, MapEntry, MapExpr, Overload, StructExpr } from '../ast/ast.ts';
import { DYN, type Type } from '../ast/types.ts';
import type { Environment } from '../checker/environment.ts';
import { createsSized, readsWhole } from '../lowering/lower.ts';
import { type CompiledPattern, compileMatcher } from '../regex/compile-matcher.ts';
import { chargeResult, type Implementation } from '../runtime/context.ts';
import { createDispatcher } from '../runtime/dispatch.ts';
import { putEntry } from '../runtime/host.ts';
import { NO_MATCHING_OVERLOAD } from '../values/errors.ts';
import { CelMap, EvaluationError, NonValue, Optional, type Value } from '../values/value.ts';
import { compileAlternative, undeclared } from './access.ts';
import {
  type Code,
  type Compiler,
  chargedCode,
  compileWhole,
  compileWholeFor,
  convertCode,
  convertResult,
  errorAt,
  locator,
  type Outcome,
} from './code.ts';

/** Compiles a function or operator that is called with the values of all operands. */
export function compileCall(call: CallExpr, compiler: Compiler): Code {
  const reference = compiler.typed.references[call.id];
  if (reference?.kind !== 'function') return unresolved(call, compiler);
  const operands = operandsOf(call, reference);
  const [overload] = reference.overloads;
  if (overload?.id === 'to_dyn') return compileDyn(operands[0]!, call, compiler);
  const alternative = overload && compileAlternative(call, overload.id, compiler);
  if (alternative !== undefined) return alternative;
  if (reference.overloads.length > 1 || overload === undefined || dependsOnRun(overload, operands, compiler))
    return compileDispatch(call, operands, compiler);
  return compileOverload(call, { overload, operands }, compiler);
}

/** Returns the operands. The target of a member call is the first; the target of a function with a qualified name is part of the name. */
function operandsOf(call: CallExpr, { overloads }: { readonly overloads: readonly Overload[] }): readonly Expr[] {
  const isMember = call.target !== undefined && overloads[0]?.member === true;
  return isMember ? [call.target, ...call.args] : call.args;
}

function unresolved(call: CallExpr, compiler: Compiler): Code {
  if (!compiler.env.functions.has(call.function)) return undeclared(call.id, call.function, compiler);
  const { code, message } = NO_MATCHING_OVERLOAD;
  return compiler.constant(errorAt(call.id, code, message));
}

/** Returns true if only the values decide which of two implementations the overload needs. */
function dependsOnRun(overload: Overload, operands: readonly Expr[], compiler: Compiler): boolean {
  if (implementationOf(overload, compiler.env).mixed === undefined) return false;
  return operands.some(operand => compiler.typeOf(operand).kind === 'dyn');
}

/** `dyn(x)` hides the static type and changes nothing else. */
function compileDyn(operand: Expr, call: CallExpr, compiler: Compiler): Code {
  return convertCode(compileWhole(operand, compiler), { from: compiler.typeOf(operand), to: DYN, exprId: call.id });
}

function compileOverload(
  call: CallExpr,
  { overload, operands }: { readonly overload: Overload; readonly operands: readonly Expr[] },
  compiler: Compiler,
): Code {
  const codes = operands.map((operand, index) => {
    const code = compileOperand(operand, overload.params[index] ?? DYN, call, compiler);
    return readsWhole([overload], index) ? chargedCode(code, operand, compiler) : code;
  });
  const operation = operationOf(implementationOf(overload, compiler.env), compiler);
  const code =
    compileFast(call, { overload, codes, operation }, compiler) ??
    callCode(operation, codes, { exprId: call.id, overloads: [overload] }, compiler);
  return convertResult(code, { from: overload.result, to: compiler.typeOf(call), exprId: call.id });
}

function compileOperand(operand: Expr, to: Type, call: CallExpr, compiler: Compiler): Code {
  const code = compileWholeFor(to, operand, compiler);
  return convertCode(code, { from: compiler.typeOf(operand), to, exprId: call.id });
}

interface Prepared {
  readonly overload: Overload;
  readonly codes: readonly Code[];
  readonly operation: Operation;
}

function compileFast(call: CallExpr, { overload, codes, operation }: Prepared, compiler: Compiler): Code | undefined {
  const [left, right] = codes;
  if (codes.length !== 2 || left === undefined || right === undefined) return undefined;
  const binary = { overloadId: overload.id, left, right, operation, exprId: call.id };
  return compileNumeric(binary, compiler) ?? compileMatch(binary, compiler);
}

/** Compiles a call with several possible overloads, which the values decide between. */
function compileDispatch(call: CallExpr, operands: readonly Expr[], compiler: Compiler): Code {
  const reference = compiler.typed.references[call.id];
  const overloads = reference?.kind === 'function' ? reference.overloads : [];
  const candidates = overloads.map(overload => ({
    overload,
    implementation: implementationOf(overload, compiler.env),
  }));
  const codes = operands.map((operand, index) => {
    const change = { from: compiler.typeOf(operand), to: DYN, exprId: call.id };
    const code = convertCode(compileWhole(operand, compiler), change);
    return readsWhole(overloads, index) ? chargedCode(code, operand, compiler) : code;
  });
  compiler.takesSteps();
  const dispatch = createDispatcher(call.function, candidates, compiler.context) as Operation;
  return convertCode(callCode(dispatch, codes, { exprId: call.id, overloads }, compiler), {
    from: DYN,
    to: compiler.typeOf(call),
    exprId: call.id,
  });
}

/** The compiled operands of a binary operator with one overload, and the code for when the fast path does not apply. */
interface Binary {
  readonly overloadId: string;
  readonly left: Code;
  readonly right: Code;
  readonly operation: Operation;
  readonly exprId: number;
}

/**
 * Compiles arithmetic and comparisons of numbers of known types; undefined for other overloads. Integers stay JavaScript numbers while they are
 * safe; the implementation handles big integers and range errors.
 */
function compileNumeric({ overloadId, left, right, operation, exprId }: Binary, compiler: Compiler): Code | undefined {
  const slow = slowPath(operation, exprId);
  const order = NUMERIC_COMPARISON.exec(overloadId)?.[1] ?? '';
  const constant = compiler.constantOf(right);
  if (typeof constant === 'number') {
    const compiled = WITH_LIMIT.get(order)?.(left, constant, slow);
    if (compiled !== undefined) return compiled;
  }
  const operate = COMPARISONS.get(order) ?? ARITHMETIC.get(overloadId);
  if (operate === undefined) return undefined;
  const isInteger = ARITHMETIC.has(overloadId) && !overloadId.endsWith('double');
  return (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    if (typeof l !== 'number' || typeof r !== 'number') return slow(l, r);
    const outcome = operate(l, r);
    return !isInteger || Number.isSafeInteger(outcome) ? outcome : slow(l, r);
  };
}

const NUMERIC_COMPARISON =
  /^(less|less_equals|greater|greater_equals)_(?:int64|uint64|double)(?:_(?:int64|uint64|double))?$/;

const COMPARISONS: ReadonlyMap<string, (left: number, right: number) => boolean> = new Map([
  ['less', (l, r) => l < r],
  ['less_equals', (l, r) => l <= r],
  ['greater', (l, r) => l > r],
  ['greater_equals', (l, r) => l >= r],
]);

type Slow = (left: Outcome, right: Outcome) => Outcome;

/** Comparisons with constants are frequent: a shared function with the comparison as a parameter takes twice as long. */
const WITH_LIMIT: ReadonlyMap<string, (code: Code, limit: number, slow: Slow) => Code> = new Map([
  [
    'less',
    (code: Code, limit: number, slow: Slow): Code =>
      (activation, locals) => {
        const value = code(activation, locals);
        return typeof value === 'number' ? value < limit : slow(value, limit);
      },
  ],
  [
    'less_equals',
    (code: Code, limit: number, slow: Slow): Code =>
      (activation, locals) => {
        const value = code(activation, locals);
        return typeof value === 'number' ? value <= limit : slow(value, limit);
      },
  ],
  [
    'greater',
    (code: Code, limit: number, slow: Slow): Code =>
      (activation, locals) => {
        const value = code(activation, locals);
        return typeof value === 'number' ? value > limit : slow(value, limit);
      },
  ],
  [
    'greater_equals',
    (code: Code, limit: number, slow: Slow): Code =>
      (activation, locals) => {
        const value = code(activation, locals);
        return typeof value === 'number' ? value >= limit : slow(value, limit);
      },
  ],
]);

/** A result that is not a safe integer is computed again, exactly. There is no int `-0`: adding 0 makes it 0. */
const ARITHMETIC: ReadonlyMap<string, (left: number, right: number) => number> = new Map([
  ['add_int64', (l, r) => l + r],
  ['add_uint64', (l, r) => l + r],
  ['add_double', (l, r) => l + r],
  ['subtract_int64', (l, r) => l - r],
  ['subtract_uint64', (l, r) => (l < r ? Number.NaN : l - r)],
  ['subtract_double', (l, r) => l - r],
  ['multiply_int64', (l, r) => l * r + 0],
  ['multiply_uint64', (l, r) => l * r],
  ['multiply_double', (l, r) => l * r],
  ['divide_int64', (l, r) => (l - (l % r)) / r + 0],
  ['divide_uint64', (l, r) => (l - (l % r)) / r],
  ['divide_double', (l, r) => l / r],
  ['modulo_int64', (l, r) => (l % r) + 0],
  ['modulo_uint64', (l, r) => l % r],
]);

/** An implementation as the evaluator calls it: the context is bound, and the arguments are those of the overload. */
type Operation = (...args: Outcome[]) => Outcome;

const NOT_IMPLEMENTED = new EvaluationError('eval/not-implemented', 'the function has no implementation');

/** A declared function without an implementation is an evaluation error, because an environment may be meant for checking only. */
function implementationOf({ id }: Overload, env: Environment): Implementation {
  return (
    env.implementations.get(id) ?? env.libraryImplementations.get(id) ?? { call: () => NOT_IMPLEMENTED, total: false }
  );
}

function operationOf(implementation: Implementation, compiler: Compiler): Operation {
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
function callCode(operation: Operation, operands: readonly Code[], called: Called, compiler: Compiler): Code {
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
function slowPath(operation: Operation, exprId: number): (left: Outcome, right: Outcome) => Outcome {
  const locate = locator(exprId);
  return (left, right) => {
    if (left instanceof NonValue) return left;
    if (right instanceof NonValue) return right;
    const outcome = operation(left, right);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}

/** Compiles `matches` with a constant pattern, once; undefined for other calls. An invalid pattern fails when it is evaluated. */
function compileMatch({ overloadId, left, right, exprId }: Binary, compiler: Compiler): Code | undefined {
  const source = compiler.constantOf(right);
  if (typeof source !== 'string' || (overloadId !== 'matches' && overloadId !== 'matches_string')) return undefined;
  const { limits, patternEngine } = compiler.env;
  const pattern = compileMatcher(source, limits, patternEngine);
  const invalid = pattern instanceof EvaluationError ? errorAt(exprId, pattern.code, pattern.message) : undefined;
  return (activation, locals) => {
    const text = left(activation, locals);
    return typeof text === 'string' ? (invalid ?? (pattern as CompiledPattern).test(text)) : text;
  };
}

/** Elements are tagged. They may be partial; code that needs the whole value checks that. */
function compileElement(expr: Expr, compiler: Compiler): Code {
  const code = compiler.compile(expr);
  const converted = convertCode(code, { from: compiler.typeOf(expr), to: DYN, exprId: expr.id });
  return compiler.fold(converted, [code]);
}

/** Returns the value held by an element written as `?e`; undefined if it is empty. */
function held(outcome: Outcome): Outcome | undefined {
  return outcome instanceof Optional ? outcome.value : NO_MATCHING_OVERLOAD;
}

/** `[a, b, ?c]`. */
export function compileList(list: ListExpr, compiler: Compiler): Code {
  const elements = list.elements.map(element => compileElement(element, compiler));
  const code = list.optionalIndices.length === 0 ? plainList(elements) : optionalList(list, elements);
  return compiler.fold(code, elements);
}

function plainList(elements: readonly Code[]): Code {
  return (activation, locals) => {
    const values: Value[] = [];
    for (const element of elements) {
      const outcome = element(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      values.push(outcome);
    }
    return values;
  };
}

function optionalList(list: ListExpr, elements: readonly Code[]): Code {
  const optional = new Set(list.optionalIndices);
  const locate = locator(list.id);
  return (activation, locals) => {
    const values: Value[] = [];
    for (const [index, element] of elements.entries()) {
      const outcome = element(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      const value = optional.has(index) ? held(outcome) : outcome;
      if (value instanceof NonValue) return locate(value);
      if (value !== undefined) values.push(value);
    }
    return values;
  };
}

interface Entry {
  readonly key: Code;
  readonly value: Code;
  readonly optional: boolean;
  readonly locate: (outcome: NonValue) => NonValue;
}

/** `{key: value, ?key: optional}`. */
export function compileMap(map: MapExpr, compiler: Compiler): Code {
  const entries = map.entries.map((entry): Entry => compileEntry(entry, compiler));
  const parts = entries.flatMap(({ key, value }) => [key, value]);
  return compiler.fold(makeMap(entries), parts);
}

function makeMap(entries: readonly Entry[]): Code {
  return (activation, locals) => {
    const made = new CelMap();
    for (const entry of entries) {
      const key = entry.key(activation, locals);
      if (key instanceof NonValue) return key;
      const outcome = entry.value(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      const value = entry.optional ? held(outcome) : outcome;
      if (value === undefined) continue;
      const problem = value instanceof NonValue ? value : putEntry(made, key, value);
      if (problem !== undefined) return entry.locate(problem);
    }
    return made;
  };
}

function compileEntry({ id, key, value, optional }: MapEntry, compiler: Compiler): Entry {
  return { key: compileElement(key, compiler), value: compileElement(value, compiler), optional, locate: locator(id) };
}

/** `Name{field: value}` for an object type of the environment returns a plain object. */
export function compileStruct(struct: StructExpr, compiler: Compiler): Code {
  if (compiler.typeOf(struct).kind !== 'object') {
    const message = `\`${struct.typeName}\` is not a type with fields`;
    return compiler.constant(errorAt(struct.id, 'eval/unknown-type', message));
  }
  const locate = locator(struct.id);
  const fields = struct.fields.map(({ field, value, optional }) => ({
    field,
    optional,
    value: compileElement(value, compiler),
  }));
  return (activation, locals) => {
    const entries: [string, Value][] = [];
    for (const { field, optional, value: code } of fields) {
      const outcome = code(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      const value = optional ? held(outcome) : outcome;
      if (value instanceof NonValue) return locate(value);
      if (value !== undefined) entries.push([field, value]);
    }
    return Object.fromEntries(entries);
  };
}
