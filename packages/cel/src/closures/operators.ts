// Closures for operators that do not evaluate all operands, or compare: logic, equality and membership.

import type { CallExpr, Expr, LiteralExpr } from '../ast/ast.ts';
import { BOOL, DYN, isOpen, type Type } from '../ast/types.ts';
import { isSized } from '../lowering/lower.ts';
import { inList, inValue } from '../runtime/collections.ts';
import type { RunContext } from '../runtime/context.ts';
import { equals, equalsNumber } from '../runtime/equality.ts';
import { inMap, type MapValue } from '../runtime/host.ts';
import { combineUndecided, NonValue, type Value } from '../values/value.ts';
import { pathEquals, pathKey } from './access.ts';
import { type Code, type Compiler, chargedCode, compileWhole, convertCode, locator, type Outcome } from './code.ts';

/**
 * `&&` and `||` differ only in the value that decides alone: false or true. A chain is a tree of calls; it runs as one list. After an operand
 * that is an error or unknown, the others may still decide.
 */
export function compileLogic(call: CallExpr, compiler: Compiler): Code {
  const decisive = call.function === '_||_';
  const otherwise = !decisive;
  const operands = operandsOf(call, compiler);
  const [first, second] = operands as readonly [Code, Code];
  if (operands.length === 2) {
    return (activation, locals) => {
      const left = first(activation, locals);
      if (left === decisive) return decisive;
      const right = second(activation, locals);
      return left === otherwise || right === decisive ? right : combineUndecided(left, right);
    };
  }
  return (activation, locals) => {
    let pending: Outcome = otherwise;
    for (let i = 0; i < operands.length; i += 1) {
      const outcome = (operands[i] as Code)(activation, locals);
      if (outcome === otherwise) continue;
      if (outcome === decisive) return decisive;
      pending = pending === otherwise ? outcome : combineUndecided(pending, outcome);
    }
    return pending;
  };
}

/** A chain is a tree of calls; it runs as one list. */
function operandsOf(call: CallExpr, compiler: Compiler): readonly Code[] {
  const operands: { readonly expr: Expr; readonly compile: () => Code }[] = [];
  const visit = (expr: Expr, parent: CallExpr): void => {
    if (expr.kind === 'call' && expr.function === call.function) {
      for (const arg of expr.args) visit(arg, expr);
    } else {
      const compile = (): Code =>
        convertCode(compiler.compile(expr), { from: compiler.typeOf(expr), to: BOOL, exprId: parent.id });
      operands.push({ expr, compile });
    }
  };
  visit(call, call);
  return mergeEqualities(operands, call.function === '_||_' ? '_==_' : '_!=_', compiler);
}

export function compileNot(call: CallExpr, compiler: Compiler): Code {
  const operand = call.args[0] as Expr;
  const code = convertCode(compiler.compile(operand), { from: compiler.typeOf(operand), to: BOOL, exprId: call.id });
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome === true) return false;
    return outcome === false ? true : outcome;
  };
}

/** Evaluates only the chosen branch; a condition that is an error or unknown is the result. */
export function compileConditional(call: CallExpr, compiler: Compiler): Code {
  const [condition, then, otherwise] = call.args as readonly [Expr, Expr, Expr];
  const to = compiler.typeOf(call);
  const convert = (expr: Expr, type = to): Code => {
    const from = compiler.typeOf(expr);
    // The checker accepts null for a timestamp and the like; it stays null.
    const code = compiler.compile(expr);
    return from.kind === 'null' && expr !== condition ? code : convertCode(code, { from, to: type, exprId: call.id });
  };
  const test = convert(condition, BOOL);
  const whenTrue = convert(then);
  const whenFalse = convert(otherwise);
  return (activation, locals) => {
    const outcome = test(activation, locals);
    if (outcome === true) return whenTrue(activation, locals);
    return outcome === false ? whenFalse(activation, locals) : outcome;
  };
}

/** Returns false for false and true for everything else, as the reference implementation's loops require. */
export function compileNotStrictlyFalse(call: CallExpr, compiler: Compiler): Code {
  const code = compiler.compile(call.args[0] as Expr);
  return (activation, locals) => code(activation, locals) !== false;
}

/** `==` and `!=`: by identity if the static types allow it, otherwise by CEL equality. */
export function compileEquality(call: CallExpr, compiler: Compiler): Code {
  const [left, right] = call.args as readonly [Expr, Expr];
  const equal = call.function === '_==_';
  if (comparesByIdentity(compiler.typeOf(left), compiler.typeOf(right))) {
    return (
      stringEquality(call, compiler) ??
      identity(compileLeft(call, compiler), compiler.compile(right), { equal, compiler })
    );
  }
  const tagged = (expr: Expr): Code =>
    convertCode(compileWhole(expr, compiler), { from: compiler.typeOf(expr), to: DYN, exprId: call.id });
  const withLiteral = literalEquality(call, tagged(left), { equal, compiler });
  if (withLiteral !== undefined) return withLiteral;
  const isLooked = right.kind !== 'literal' && isSized(compiler.typeOf(left));
  const first = isLooked ? chargedCode(tagged(left), left, compiler) : tagged(left);
  return deep(first, tagged(right), { equal, compiler, exprId: call.id });
}

/** Comparing a dynamic value with a literal costs no step: it equals a string or bool only if identical; an int may also equal another number. */
function literalEquality(call: CallExpr, left: Code, { equal, compiler }: Identity): Code | undefined {
  const [expr, right] = call.args as readonly [Expr, Expr];
  if (right.kind !== 'literal' || !isOpen(compiler.typeOf(expr))) return undefined;
  const { type, value } = right.literal;
  if (type === 'string' || type === 'bool') return identityToConstant(left, value, equal);
  if (type !== 'int') return undefined;
  return (activation, locals) => {
    const outcome = left(activation, locals);
    return outcome instanceof NonValue ? outcome : equalsNumber(outcome, value) === equal;
  };
}

/** Comparing strings is charged by their length unless one is a literal. */
function compileLeft({ args }: CallExpr, compiler: Compiler): Code {
  const [left, right] = args as readonly [Expr, Expr];
  const code = compiler.compile(left);
  return compiler.typeOf(left).kind === 'string' && right.kind !== 'literal' ? chargedCode(code, left, compiler) : code;
}

/**
 * Canonical integers are equal if and only if they are identical, bigints included. For doubles, NaN differs from itself and 0 equals -0.
 */
function comparesByIdentity(left: Type, right: Type): boolean {
  return left.kind === right.kind && SCALARS.has(left.kind);
}

const SCALARS: ReadonlySet<Type['kind']> = new Set(['bool', 'int', 'uint', 'double', 'string']);

/** `path == "string"`. Compiles the left side once: twice at each level would take exponential time. */
function stringEquality(call: CallExpr, compiler: Compiler): Code | undefined {
  const [left, right] = call.args as readonly [Expr, Expr];
  if (call.function !== '_==_' || right.kind !== 'literal' || right.literal.type !== 'string') return undefined;
  const exact = identityToConstant(compiler.compile(left), right.literal.value, true);
  return pathEquals(left, right.literal.value, { exact, compiler }) ?? exact;
}

interface Identity {
  readonly equal: boolean;
  readonly compiler: Compiler;
}

function identity(left: Code, right: Code, { equal, compiler }: Identity): Code {
  const constantRight = compiler.constantOf(right);
  if (constantRight instanceof NonValue) return failing(left, constantRight);
  if (constantRight !== undefined) return identityToConstant(left, constantRight, equal);
  const constantLeft = compiler.constantOf(left);
  const isValue = constantLeft !== undefined && !(constantLeft instanceof NonValue);
  if (isValue) return identityToConstant(right, constantLeft, equal);
  return (activation, locals) => {
    const l = left(activation, locals);
    if (l instanceof NonValue) return l;
    const r = right(activation, locals);
    return r instanceof NonValue ? r : (l === r) === equal;
  };
}

function identityToConstant(code: Code, constant: unknown, equal: boolean): Code {
  if (equal) {
    return (activation, locals) => {
      const outcome = code(activation, locals);
      return outcome === constant ? true : outcome instanceof NonValue ? outcome : false;
    };
  }
  return (activation, locals) => {
    const outcome = code(activation, locals);
    return outcome === constant ? false : outcome instanceof NonValue ? outcome : true;
  };
}

/** The right operand is known to fail. */
function failing(left: Code, constant: NonValue): Code {
  return (activation, locals) => {
    const l = left(activation, locals);
    return l instanceof NonValue ? l : constant;
  };
}

function deep(left: Code, right: Code, { equal, compiler, exprId }: Identity & { readonly exprId: number }): Code {
  const locate = locator(exprId);
  const { context } = compiler;
  compiler.takesSteps();
  return (activation, locals) => {
    const l = left(activation, locals);
    if (l instanceof NonValue) return l;
    const r = right(activation, locals);
    if (r instanceof NonValue) return r;
    const same = equals(context, l, r);
    return typeof same === 'boolean' ? same === equal : locate(same);
  };
}

/** A comparison of a path with a literal of its static type, where equality is identity. */
interface Comparison {
  readonly key: string;
  readonly path: Expr;
  readonly literal: LiteralExpr;
}

/**
 * Merges comparisons of the same path into membership tests: `p == "a" || p == "b"`, or `p != "a" && p != "b"`. Returns the operands in
 * order, each group at the position of its first member. The outcome is the same, because reading the path again would return the same
 * error or unknown.
 */
function mergeEqualities(
  operands: readonly { readonly expr: Expr; readonly compile: () => Code }[],
  operator: '_==_' | '_!=_',
  compiler: Compiler,
): readonly Code[] {
  const groups = new Map<string, Comparison[]>();
  for (const { expr } of operands) {
    const comparison = comparisonOf(expr, operator, compiler);
    if (comparison !== undefined) groups.set(comparison.key, [...(groups.get(comparison.key) ?? []), comparison]);
  }
  const done = new Set<string>();
  return operands.flatMap(({ expr, compile }) => {
    const comparison = comparisonOf(expr, operator, compiler);
    const group = comparison === undefined ? undefined : groups.get(comparison.key);
    if (comparison === undefined || group === undefined || group.length === 1) return [compile()];
    if (done.has(comparison.key)) return [];
    done.add(comparison.key);
    const literals = new Set(group.map(({ literal }) => literal.literal.value));
    const code = compiler.compile(comparison.path);
    return [amongLiterals(code, literals, operator === '_==_')];
  });
}

function comparisonOf(expr: Expr, operator: string, compiler: Compiler): Comparison | undefined {
  if (expr.kind !== 'call' || expr.function !== operator) return undefined;
  const [left, right] = (expr as CallExpr).args as readonly [Expr, Expr];
  const [path, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  if (literal.kind !== 'literal' || literal.literal.type !== compiler.typeOf(path).kind) return undefined;
  if (!COMPARED_BY_IDENTITY.has(literal.literal.type)) return undefined;
  const key = pathKey(path, compiler);
  return key === undefined ? undefined : { key, path, literal };
}

const COMPARED_BY_IDENTITY: ReadonlySet<string> = new Set(['string', 'int', 'uint']);

/** `element in container`. */
export function compileMembership(call: CallExpr, compiler: Compiler): Code {
  const [element, container] = call.args as readonly [Expr, Expr];
  const literals = literalsOf(element, container, compiler);
  if (literals !== undefined) return amongLiterals(compiler.compile(element), literals);
  const tagged = (expr: Expr, code: Code): Code =>
    convertCode(code, { from: compiler.typeOf(expr), to: DYN, exprId: call.id });
  // The element is compared as a whole; elements of the container are read one by one.
  const isMap = compiler.typeOf(container).kind === 'map';
  const wanted = isMap ? compiler.compile(element) : compileWhole(element, compiler);
  const within = compiler.compile(container);
  compiler.takesSteps();
  return search(tagged(element, wanted), tagged(container, within), {
    test: testFor(compiler.typeOf(container).kind, compiler.context),
    exprId: call.id,
  });
}

type Test = (element: Value, container: Value) => boolean | NonValue;

function testFor(kind: string, context: RunContext): Test {
  if (kind === 'list') return (element, container) => inList(context, element, container as readonly Value[]);
  return kind === 'map'
    ? (element, container) => inMap(element, container as MapValue)
    : (element, container) => inValue(context, element, container);
}

/** Returns the values of a literal list whose elements have the static type of the searched element and are compared by identity. */
function literalsOf(element: Expr, container: Expr, compiler: Compiler): ReadonlySet<unknown> | undefined {
  const { kind } = compiler.typeOf(element);
  if (container.kind !== 'list' || container.optionalIndices.length > 0) return undefined;
  if (kind !== 'string' && kind !== 'int' && kind !== 'uint') return undefined;
  const values = new Set<unknown>();
  for (const item of container.elements) {
    if (item.kind !== 'literal' || item.literal.type !== kind) return undefined;
    values.add(item.literal.value);
  }
  return values;
}

/** Returns code that tests whether a value is one of some literals of its own type, or none of them. */
function amongLiterals(code: Code, literals: ReadonlySet<unknown>, isAmong = true): Code {
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (literals.has(outcome)) return isAmong;
    return outcome instanceof NonValue ? outcome : !isAmong;
  };
}

function search(
  element: Code,
  container: Code,
  { test, exprId }: { readonly test: Test; readonly exprId: number },
): Code {
  const locate = locator(exprId);
  return (activation, locals): Outcome => {
    const value = element(activation, locals);
    if (value instanceof NonValue) return value;
    const within = container(activation, locals);
    if (within instanceof NonValue) return within;
    const outcome = test(value, within);
    return typeof outcome === 'boolean' ? outcome : locate(outcome);
  };
}
