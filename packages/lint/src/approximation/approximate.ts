import type { CallExpr, Environment, Expr, TypedAst } from '@tollgate/cel';
import { inputPathOf, type PathOptions, parseCidr } from '@tollgate/cel/tooling';
import { quantifierOf } from '../solver/reader/loop-condition.ts';
import { type OperandTest, operandTestOf } from '../solver/reader/read-simple-test.ts';
import { bindingKey } from '../solver/reader/reader-context.ts';
import type { AbstractCondition, AssignedValue, Leaf, PatternPredicate } from './abstract-condition.ts';
import { patternPredicate } from './pattern-predicate.ts';

/** Where an expression is: in the source of a condition, or in the body of a function. */
interface Scope {
  readonly typed: TypedAst;
  readonly environment: Environment;
  /** The arguments of the function. */
  readonly params: ReadonlyMap<string, LocatedExpr> | undefined;
  /** The elements that loop variables stand for. */
  readonly elements?: ReadonlyMap<string, InputValue>;
}

interface LocatedExpr {
  readonly expr: Expr;
  readonly scope: Scope;
}

/** Returns an approximation of a condition. */
export function approximate(typed: TypedAst, environment: Environment): AbstractCondition {
  return approximateAt(typed.ast.root, { typed, environment, params: undefined });
}

const UNKNOWN: AbstractCondition = { kind: 'unknown' };

function approximateAt(expr: Expr, scope: Scope): AbstractCondition {
  switch (expr.kind) {
    case 'literal':
      return expr.literal.type === 'bool' ? { kind: 'constant', holds: expr.literal.value } : UNKNOWN;
    case 'call':
      return approximateCall(expr, scope);
    case 'comprehension':
      return isOpaque(expr.iterRange, scope) ? approximateLoop(expr, scope) : UNKNOWN;
    default:
      return approximateInput(expr, scope);
  }
}

/** Lists in an assignment have one element, which `exists` and `all` test alike. Other loops are opaque. */
function approximateLoop(loop: Extract<Expr, { readonly kind: 'comprehension' }>, scope: Scope): AbstractCondition {
  const list = listAt(loop.iterRange, scope);
  const quantifier = quantifierOf(loop);
  const opaque = {
    path: list?.path,
    requiredKey: list?.requiredKey,
    defaultValue: false,
    predicate: { kind: 'truth' },
  } as const;
  if (list === undefined) return { kind: 'leaf', key: '', ...opaque };
  const element = { ...list, key: `${list.key}\0${0}` };
  const key = `?${list.key}`;
  if (quantifier !== undefined && loop.iterVar2 === undefined) {
    const local = bindingKey(loop.id, loop.iterVar);
    const conflictingKeys = [key, `#${list.key}`];
    const elements = new Map([...(scope.elements ?? []), [local, { ...element, type: 'string', conflictingKeys }]]);
    const found = approximateAt(quantifier.predicate, { ...scope, elements });
    if (isKnown(found)) return found;
  }
  return { kind: 'leaf', key, ...opaque, conflictingKeys: [element.key] };
}

function isKnown(condition: AbstractCondition): boolean {
  switch (condition.kind) {
    case 'leaf':
      return true;
    case 'not':
      return isKnown(condition.part);
    case 'constant':
    case 'unknown':
      return false;
    default:
      return condition.parts.every(isKnown);
  }
}

/** Returns the list of a loop: an input, or the result of a function applied to literals. */
function listAt(range: Expr, scope: Scope): InputValue | undefined {
  const value = valueAt(range, scope);
  if (value !== undefined || range.kind !== 'call') return value;
  const args = [...(range.target ? [range.target] : []), ...range.args].map(arg => literalText(arg, scope));
  const overload = overloadOf(scope.typed, range);
  if (overload === undefined || args.includes(undefined)) return undefined;
  // Header names are case-insensitive.
  const key = JSON.stringify([overload.id, ...args]).toLowerCase();
  return { key, path: undefined, requiredKey: undefined, type: 'list' };
}

/** Returns true if the loop is not over a list literal, whose elements would be distinct. */
function isOpaque(range: Expr, { typed, environment }: Scope): boolean {
  if (range.kind === 'select') return true;
  if (range.kind === 'ident') return typed.references[range.id]?.kind === 'variable';
  if (range.kind !== 'call') return false;
  const overload = overloadOf(typed, range);
  if (overload?.body === undefined) return true;
  const body = environment.bodyOf(overload.id)?.typed;
  return body?.ast.root.kind === 'call' && overloadOf(body, body.ast.root)?.body === undefined;
}

function approximateCall(call: CallExpr, scope: Scope): AbstractCondition {
  switch (call.function) {
    case '_&&_':
      return { kind: 'all', parts: call.args.map(arg => approximateAt(arg, scope)) };
    case '_||_':
      return { kind: 'any', parts: call.args.map(arg => approximateAt(arg, scope)) };
    case '!_':
      return { kind: 'not', part: approximateAt(call.args[0]!, scope) };
    default: {
      const overload = overloadOf(scope.typed, call);
      if (overload?.body !== undefined) return approximateBody(call, overload.id, scope);
      return approximateTest(call, overload?.id, scope) ?? approximateMembership(call, scope) ?? UNKNOWN;
    }
  }
}

function overloadOf(typed: TypedAst, call: CallExpr) {
  const reference = typed.references[call.id];
  return reference?.kind === 'function' && reference.overloads.length === 1 ? reference.overloads[0] : undefined;
}

function approximateBody(call: CallExpr, overload: string, scope: Scope): AbstractCondition {
  const body = scope.environment.bodyOf(overload);
  const args = call.target && body?.overload.member ? [call.target, ...call.args] : call.args;
  if (body === undefined || args.length !== body.paramNames.length) return UNKNOWN;
  const params = new Map(body.paramNames.map((name, index) => [name, { expr: args[index]!, scope }]));
  const { typed } = body;
  return { kind: 'whole', parts: [approximateAt(typed.ast.root, { typed, environment: scope.environment, params })] };
}

function approximateTest(call: CallExpr, overload: string | undefined, scope: Scope): AbstractCondition | undefined {
  switch (overload) {
    case 'is_ip':
      return addressLeaf(call.args[0]!, scope, undefined);
    case 'is_cidr': {
      const text = literalText(call.args[0]!, scope);
      return text === undefined ? undefined : { kind: 'constant', holds: parseCidr(text) !== undefined };
    }
    case 'cidr_contains_ip_string': {
      const range = resolved(call.target!, scope);
      const isRange = range.expr.kind === 'call' && overloadOf(range.scope.typed, range.expr)?.id === 'string_to_cidr';
      const text = isRange ? literalText((range.expr as CallExpr).args[0]!, range.scope) : undefined;
      const within = text === undefined ? undefined : parseCidr(text);
      return within && addressLeaf(call.args[0]!, scope, within);
    }
    default: {
      const operandTest = operandTestOf(call, overload) ?? patternTestOf(call, overload, scope);
      return (
        operandTest &&
        ('predicate' in operandTest
          ? approximatePattern(operandTest, scope)
          : approximateComparison(operandTest, scope))
      );
    }
  }
}

function addressLeaf(address: Expr, scope: Scope, within: ReturnType<typeof parseCidr>): Leaf | undefined {
  const value = valueAt(address, scope);
  return value?.type === 'string' ? leaf(value, value.key, '~', { kind: 'address', within }) : undefined;
}

function approximateComparison(
  { operand, ...question }: NonNullable<ReturnType<typeof operandTestOf>>,
  scope: Scope,
): Leaf | undefined {
  const isText = typeof question.literals[0] === 'string';
  const value = valueAt(operand, scope);
  if (value?.type === (isText ? 'string' : 'int'))
    return leaf(value, value.key, isText ? '~' : OTHER_NUMBER, { ...question, kind: 'value' });
  const sized = isText || value !== undefined ? undefined : sizedAt(operand, scope);
  if (sized === undefined) return undefined;
  return sized.type === 'string'
    ? leaf(sized, sized.key, '~', { ...question, kind: 'size' })
    : leaf(sized, `#${sized.key}`, 1, { ...question, kind: 'size' });
}

const OTHER_NUMBER = 7919;

interface PatternTest {
  readonly operand: Expr;
  readonly predicate: PatternPredicate;
}

/** Returns the test that `matches` with a literal performs; a pattern that only searches for a string is such a search. */
function patternTestOf(
  { target, args }: CallExpr,
  overload: string | undefined,
  scope: Scope,
): OperandTest | PatternTest | undefined {
  if (overload !== 'matches' && overload !== 'matches_string') return undefined;
  const [operand, pattern] = target === undefined ? args : [target, ...args];
  const source = pattern && literalText(pattern, scope);
  if (operand === undefined || source === undefined) return undefined;
  const operandTest = patternPredicate(source, scope.environment.limits);
  if (operandTest === undefined) return undefined;
  return operandTest.kind === 'pattern' ? { operand, predicate: operandTest } : { ...operandTest.question, operand };
}

function approximatePattern({ operand, predicate }: PatternTest, scope: Scope): Leaf | undefined {
  const value = valueAt(operand, scope);
  return value?.type === 'string' ? leaf(value, value.key, '~', predicate) : undefined;
}

function leaf(
  { path, requiredKey, conflictingKeys }: InputValue,
  key: string,
  defaultValue: AssignedValue,
  predicate: Leaf['predicate'],
): Leaf {
  return { kind: 'leaf', key, path, requiredKey, defaultValue, predicate, ...(conflictingKeys && { conflictingKeys }) };
}

const SIZED: ReadonlySet<string> = new Set(['string', 'list', 'map']);
const SIZES = /^(?:size_\w+|\w+_size)$/;

/** Returns the operand of `size`. */
function sizedAt(expr: Expr, scope: Scope): InputValue | undefined {
  const { expr: call, scope: at } = resolved(expr, scope);
  if (call.kind !== 'call' || !SIZES.test(overloadOf(at.typed, call)?.id ?? '')) return undefined;
  const sized = valueAt(call.target ?? call.args[0]!, at);
  return sized && SIZED.has(sized.type) ? sized : undefined;
}

/** Approximates `'X' in map`. */
function approximateMembership(call: CallExpr, scope: Scope): AbstractCondition | undefined {
  if (call.function !== '@in') return undefined;
  const key = literalText(call.args[0]!, scope);
  return key === undefined ? undefined : presence(call.args[1]!, key, scope);
}

function presence(map: Expr, name: string, scope: Scope): AbstractCondition | undefined {
  const path = pathAt(map, scope);
  if (path === undefined || typeAt(map, scope) !== 'map' || name.includes('\0')) return undefined;
  return {
    kind: 'leaf',
    key: keyFor(path, name),
    path,
    requiredKey: undefined,
    defaultValue: false,
    predicate: { kind: 'truth' },
  };
}

function keyFor(path: string, name: string): string {
  return `${path}\0${name}`;
}

/** Approximates a condition that is an input, or tests with `has` whether there is one. */
function approximateInput(expr: Expr, scope: Scope): AbstractCondition {
  if (expr.kind === 'select' && expr.testOnly) return presence(expr.operand, expr.field, scope) ?? UNKNOWN;
  const path = typeAt(expr, scope) === 'bool' ? pathAt(expr, scope) : undefined;
  if (path === undefined) return UNKNOWN;
  return { kind: 'leaf', key: path, path, requiredKey: undefined, defaultValue: false, predicate: { kind: 'truth' } };
}

/** A value that is read from an input. */
interface InputValue {
  readonly key: string;
  /** Path of the input that contains it. */
  readonly path: string | undefined;
  readonly requiredKey: string | undefined;
  /** The kind of its type. */
  readonly type: string;
  /** For an element of a list: keys about the whole list. */
  readonly conflictingKeys?: readonly string[];
}

function valueAt(given: Expr, from: Scope): InputValue | undefined {
  const { expr, scope } = resolved(given, from);
  const type = typeAt(expr, scope);
  const element = elementAt(expr, scope);
  if (element !== undefined) return type === element.type ? element : undefined;
  const path = pathAt(expr, scope);
  if (path !== undefined) return { key: path, path, requiredKey: undefined, type };
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [container, index] = [expr.args[0]!, resolved(expr.args[1]!, scope).expr];
  if (index.kind !== 'literal') return undefined;
  const { type: kind, value } = index.literal;
  if (typeAt(container, scope) === 'map') {
    const map = pathAt(container, scope);
    if (map === undefined || kind !== 'string' || value.includes('\0')) return undefined;
    const requiredKey = keyFor(map, value);
    return { key: `=${requiredKey}`, path: map, requiredKey, type };
  }
  const list = kind === 'int' && typeAt(container, scope) === 'list' ? valueAt(container, scope) : undefined;
  return list && { ...list, key: `${list.key}\0${value}`, type };
}

/** Returns what a loop variable stands for. */
function elementAt(expr: Expr, { typed, elements }: Scope): InputValue | undefined {
  const reference = expr.kind === 'ident' ? typed.references[expr.id] : undefined;
  return reference?.kind === 'local' ? elements?.get(bindingKey(reference.scope, reference.name)) : undefined;
}

/** Returns the argument that a parameter stands for; other expressions unchanged. */
function resolved(expr: Expr, scope: Scope): LocatedExpr {
  const reference = expr.kind === 'ident' ? scope.typed.references[expr.id] : undefined;
  const isParam = reference?.kind === 'local' && reference.scope === 0;
  const found = isParam ? scope.params?.get(reference.name) : undefined;
  return found ? resolved(found.expr, found.scope) : { expr, scope };
}

function literalText(expr: Expr, scope: Scope): string | undefined {
  const { expr: literal } = resolved(expr, scope);
  return literal.kind === 'literal' && literal.literal.type === 'string' ? literal.literal.value : undefined;
}

function typeAt(expr: Expr, { typed }: Scope): string {
  return typed.types[expr.id]?.kind ?? 'dyn';
}

function pathAt(expr: Expr, { typed }: Scope): string | undefined {
  return inputPathOf(typed, expr, FIELDS_OF_OBJECTS);
}

const FIELDS_OF_OBJECTS: PathOptions = {
  isField: ({ testOnly, operand }, { types }) => !testOnly && types[operand.id]?.kind === 'object',
};
