/** Lowers checked expressions to conditions, or says which construct no target expresses exactly. */
import { STRING_KEY } from '@tollgate/catalog';
import type { CallExpr, Environment, Expr, TypedAst } from '@tollgate/cel';
import { parseCidr } from '@tollgate/cel/tooling';
import {
  type ComparisonOperator,
  type Condition,
  type Constant,
  type Input,
  UnsupportedError,
  type Value,
} from './condition.ts';

/** Lowers a bool expression. Throws an {@link UnsupportedError} at the first construct that is not supported. */
export function lowerCondition(typed: TypedAst, environment: Environment): Condition {
  const lowering = { typed, environment, bound: new Map() };
  return condition(typed.ast.root, lowering);
}

interface Lowering {
  readonly typed: TypedAst;
  readonly environment: Environment;
  /** What variables of macros stand for. */
  readonly bound: ReadonlyMap<string, Value | readonly Constant[]>;
}

function condition(expr: Expr, at: Lowering): Condition {
  if (expr.kind === 'literal' && expr.literal.type === 'bool') return { kind: 'constant', value: expr.literal.value };
  if (expr.kind === 'call') return call(expr, at);
  if (expr.kind === 'comprehension') return macro(expr, at);
  const input = inputOf(expr, at);
  if (input?.type === 'bool') return { kind: 'input', input };
  throw unsupported(expr);
}

function call(expr: CallExpr, at: Lowering): Condition {
  const [first, second, third] = expr.args;
  switch (expr.function) {
    case '_&&_':
      return conjunction(expr.args, at);
    case '_||_':
      return { kind: 'or', parts: expr.args.map(part => condition(part, at)) };
    case '!_':
      return { kind: 'not', part: condition(first!, at) };
    case '_?_:_':
      return { kind: 'choice', test: condition(first!, at), yes: condition(second!, at), no: condition(third!, at) };
    case '_==_':
    case '_!=_':
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return comparison(expr, expr.function.slice(1, -1) as ComparisonOperator, at);
    case '@in':
      return membership(expr, at);
    case 'startsWith':
    case 'endsWith':
    case 'contains':
      return text(expr, expr.function, at);
    case 'matches':
      return pattern(expr, at);
    case 'isIP':
      return address(expr, at);
    case 'isCIDR':
      return { kind: 'constant', value: parseCidr(string(expr.args[0]!, at)) !== undefined };
    case 'containsIP':
      return network(expr, at);
    default:
      throw unsupported(expr);
  }
}

/** Nothing after a part that is always false counts, such as the test of a malformed range. */
function conjunction(args: readonly Expr[], at: Lowering): Condition {
  const parts: Condition[] = [];
  for (const part of args) {
    const lowered = condition(part, at);
    if (lowered.kind === 'constant' && !lowered.value) return lowered;
    parts.push(lowered);
  }
  return { kind: 'and', parts };
}

function comparison(expr: CallExpr, operator: ComparisonOperator, at: Lowering): Condition {
  const [left, right] = expr.args as [Expr, Expr];
  const [one, other] = [typeOf(left, at), typeOf(right, at)];
  const isOrdered = operator !== '==' && operator !== '!=';
  if (one !== other || !SCALARS.has(one) || (isOrdered && one === 'bool')) throw unsupported(expr);
  return pair(expr, [value(left, at), value(right, at)], (value, other) => ({
    kind: 'comparison',
    operator,
    value,
    other,
  }));
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'int', 'bool']);

/** Of two values that may both fail, evaluation decides which failure counts; that is not lowered. */
function pair(
  expr: Expr,
  [value, other]: readonly [Value, Value],
  make: (value: Value, other: Value) => Condition,
): Condition {
  const mayFail = (one: Value) => one.kind === 'element';
  if ((mayFail(value) && other.kind !== 'constant') || (mayFail(other) && value.kind !== 'constant'))
    throw unsupported(expr);
  return make(value, other);
}

function text(expr: CallExpr, operator: 'startsWith' | 'endsWith' | 'contains', at: Lowering): Condition {
  const { target, args } = expr;
  if (!target || typeOf(target, at) !== 'string' || typeOf(args[0]!, at) !== 'string') throw unsupported(expr);
  return pair(expr, [value(target, at), value(args[0]!, at)], (value, other) => ({
    kind: 'text',
    operator,
    value,
    other,
  }));
}

function pattern(expr: CallExpr, at: Lowering): Condition {
  const [subject, written] = expr.target ? [expr.target, expr.args[0]!] : (expr.args as [Expr, Expr]);
  const constant = constantOf(written, at);
  if (typeof constant !== 'string' || typeOf(subject, at) !== 'string') throw unsupported(expr);
  return { kind: 'pattern', value: value(subject, at), pattern: constant, range: expr.range };
}

/** `exists` and `all` over a list of constants are a disjunction and a conjunction. */
function macro(expr: Extract<Expr, { readonly kind: 'comprehension' }>, at: Lowering): Condition {
  const { iterRange, iterVar, iterVar2, accuVar, accuInit, loopStep, result } = expr;
  if (iterRange.kind === 'list' && iterRange.elements.length === 0 && iterVar === UNUSED) return binding(expr, at);
  const isAccumulator = (one: Expr | undefined) => one?.kind === 'ident' && one.name === accuVar;
  const step = loopStep.kind === 'call' ? loopStep : undefined;
  const kind = step?.function === '_||_' ? 'or' : step?.function === '_&&_' ? 'and' : undefined;
  const start = accuInit.kind === 'literal' ? accuInit.literal.value : undefined;
  const isPlain =
    isAccumulator(step?.args[0]) && step?.args.length === 2 && isAccumulator(result) && iterVar2 === undefined;
  if (kind === undefined || !isPlain || start !== (kind === 'and')) throw unsupported(expr);
  const elements = constantsOf(iterRange, at);
  if (elements === undefined) throw unsupported(iterRange);
  const parts = elements.map(value =>
    condition(step!.args[1]!, { ...at, bound: new Map([...at.bound, [iterVar, { kind: 'constant', value }]]) }),
  );
  return { kind, parts };
}

/** The variable of a binding, which iterates over nothing. */
const UNUSED = '#unused';

/** A name for a value that cannot fail, as the parameters of functions with bodies are. */
function binding(expr: Extract<Expr, { readonly kind: 'comprehension' }>, at: Lowering): Condition {
  const bound = constantsOf(expr.accuInit, at) ?? value(expr.accuInit, at);
  if ('kind' in bound && bound.kind === 'element') throw unsupported(expr);
  return condition(expr.result, { ...at, bound: new Map([...at.bound, [expr.accuVar, bound]]) });
}

function address(expr: CallExpr, at: Lowering): Condition {
  const [subject] = expr.args;
  if (typeOf(subject!, at) !== 'string') throw unsupported(expr);
  const known = constantOf(subject!, at);
  if (known !== undefined) throw unsupported(expr);
  return { kind: 'address', value: value(subject!, at), range: expr.range };
}

/** `cidr(range).containsIP(address)` with a valid range. */
function network(expr: CallExpr, at: Lowering): Condition {
  const { target, args } = expr;
  const [subject] = args;
  if (target?.kind !== 'call' || target.function !== 'cidr' || typeOf(subject!, at) !== 'string')
    throw unsupported(expr);
  const range = parseCidr(string(target.args[0]!, at));
  if (range === undefined) throw unsupported(expr);
  const found = { bytes: [...range.ip.bytes], prefixLength: range.prefixLength };
  return { kind: 'network', value: value(subject!, at), network: found, range: expr.range };
}

/** Returns a constant string. */
function string(expr: Expr, at: Lowering): string {
  const found = constantOf(expr, at);
  if (typeof found !== 'string') throw unsupported(expr);
  return found;
}

function constantOf(expr: Expr, at: Lowering): Constant | undefined {
  if (expr.kind === 'literal') return constant(expr);
  const bound = expr.kind === 'ident' ? at.bound.get(expr.name) : undefined;
  return bound && 'kind' in bound && bound.kind === 'constant' ? bound.value : undefined;
}

/** Returns the elements of a list of constants. */
function constantsOf(expr: Expr, at: Lowering): readonly Constant[] | undefined {
  const bound = expr.kind === 'ident' ? at.bound.get(expr.name) : undefined;
  if (bound !== undefined) return 'kind' in bound ? undefined : bound;
  if (expr.kind !== 'list' || expr.optionalIndices.length > 0) return undefined;
  const elements = expr.elements.map(element => constantOf(element, at));
  return elements.every(element => element !== undefined) ? elements : undefined;
}

function membership(expr: CallExpr, at: Lowering): Condition {
  const [left, right] = expr.args as [Expr, Expr];
  const headers = inputOf(right, at);
  if (headers?.type === 'headers' && left.kind === 'literal' && left.literal.type === 'string')
    return { kind: 'key', input: headers, key: left.literal.value };
  const type = typeOf(left, at);
  if (right.kind !== 'list' || right.optionalIndices.length > 0 || (type !== 'string' && type !== 'int'))
    throw unsupported(expr);
  const members = right.elements.map(element => {
    const member = value(element, at);
    if (member.kind !== 'constant' || typeOf(element, at) !== type) throw unsupported(element);
    return member.value;
  });
  return { kind: 'membership', value: value(left, at), members };
}

function value(expr: Expr, at: Lowering): Value {
  const known = constantOf(expr, at);
  if (known !== undefined) return { kind: 'constant', value: known };
  const bound = expr.kind === 'ident' ? at.bound.get(expr.name) : undefined;
  if (bound !== undefined && 'kind' in bound) return bound;
  const input = inputOf(expr, at);
  if (input !== undefined && input.type !== 'headers') return { kind: 'input', input };
  const sized =
    expr.kind === 'call' && expr.function === 'size' ? inputOf(expr.target ?? expr.args[0]!, at) : undefined;
  if (sized?.type === 'string' || sized?.type === 'headers') return { kind: 'size', input: sized };
  const element = elementOf(expr, at);
  if (element === undefined) throw unsupported(expr);
  return element;
}

function constant(expr: Extract<Expr, { readonly kind: 'literal' }>): Constant {
  const { type, value } = expr.literal;
  const isPlain = type === 'string' || type === 'bool' || (type === 'int' && typeof value === 'number');
  // An unpaired surrogate and NUL are not strings everywhere.
  const isText = typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
  if (!isPlain || !isText) throw unsupported(expr);
  return value as Constant;
}

/** Returns `headers['X'][0]`. */
function elementOf(expr: Expr, at: Lowering): Value | undefined {
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [list, position] = expr.args as [Expr, Expr];
  if (list.kind !== 'call' || list.function !== '_[_]') return undefined;
  const [map, key] = list.args as [Expr, Expr];
  const input = inputOf(map, at);
  if (input?.type !== 'headers' || key.kind !== 'literal' || position.kind !== 'literal') return undefined;
  const [name, index] = [constant(key), constant(position)];
  if (typeof name !== 'string' || typeof index !== 'number' || index < 0) return undefined;
  return { kind: 'element', input, key: name, position: index };
}

/** Returns the input that a chain of fields of a variable reads; undefined if it is something else, or a field that may be absent. */
function inputOf(expr: Expr, at: Lowering): Input | undefined {
  const path = pathOf(expr, at);
  const type = inputType(expr, at);
  return path === undefined || type === undefined ? undefined : { path, type };
}

function pathOf(expr: Expr, at: Lowering): string | undefined {
  const { references, types } = at.typed;
  const reference = references[expr.id];
  if (reference?.kind === 'variable') return reference.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const operand = pathOf(expr.operand, at);
  if (expr.field === STRING_KEY) return operand;
  const type = types[expr.operand.id];
  if (operand === undefined || type?.kind !== 'object') return undefined;
  const field = at.environment.objects.get(type.name)?.fields.get(expr.field);
  return field === undefined || field.mayBeAbsent ? undefined : `${operand}.${expr.field}`;
}

function inputType(expr: Expr, at: Lowering): Input['type'] | undefined {
  const type = at.typed.types[expr.id];
  if (type?.kind === 'string' || type?.kind === 'int' || type?.kind === 'bool') return type.kind;
  const isHeaders =
    type?.kind === 'map' &&
    type.key.kind === 'string' &&
    type.value.kind === 'list' &&
    type.value.element.kind === 'string';
  return isHeaders ? 'headers' : undefined;
}

function typeOf(expr: Expr, { typed }: Lowering): string {
  return typed.types[expr.id]?.kind ?? 'error';
}

function unsupported(expr: Expr): UnsupportedError {
  const what = expr.kind === 'call' ? `\`${nameOf(expr.function)}\`` : NAMES[expr.kind];
  return new UnsupportedError(what, expr.range);
}

function nameOf(function_: string): string {
  return function_.replaceAll('_', ' ').trim();
}

const NAMES: Readonly<Record<Exclude<Expr['kind'], 'call'>, string>> = {
  literal: 'literal',
  ident: 'name',
  select: 'field',
  list: 'list',
  map: 'map',
  struct: 'message',
  comprehension: 'macro',
  error: 'syntax error',
};
