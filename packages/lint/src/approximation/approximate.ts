import { type CallExpr, type Environment, type Expr, parseCidr, type TypedAst } from '@tollgate/cel';
import { quantifierOf } from '../solver/reader/loop-outcomes.ts';
import { type Asked, askedBy } from '../solver/reader/read-simple-test.ts';
import { bindingKey } from '../solver/reader/reader-context.ts';
import type { Leaf, MadeUp, PatternAsks, Sketch } from './abstract-condition.ts';
import { patternQuestion } from './pattern-question.ts';

/** Where an expression stands: in what was written, or in the body of a function. */
interface Place {
  readonly typed: TypedAst;
  readonly environment: Environment;
  /** What the parameters of the body stand for. */
  readonly params: ReadonlyMap<string, Located> | undefined;
  /** What the variables of loops stand for. */
  readonly elements?: ReadonlyMap<string, InputValue>;
}

interface Located {
  readonly expr: Expr;
  readonly place: Place;
}

/** What is easily seen of a condition. */
export function sketchOf(typed: TypedAst, environment: Environment): Sketch {
  return sketchAt(typed.ast.root, { typed, environment, params: undefined });
}

const UNKNOWN: Sketch = { kind: 'unknown' };

function sketchAt(expr: Expr, place: Place): Sketch {
  switch (expr.kind) {
    case 'literal':
      return expr.literal.type === 'bool' ? { kind: 'constant', holds: expr.literal.value } : UNKNOWN;
    case 'call':
      return sketchOfCall(expr, place);
    case 'comprehension':
      return isOpaque(expr.iterRange, place) ? sketchOfLoop(expr, place) : UNKNOWN;
    default:
      return sketchOfInput(expr, place);
  }
}

/** A made-up list has one element: `exists` and `all` ask the same of it. Other loops are not looked into. */
function sketchOfLoop(loop: Extract<Expr, { readonly kind: 'comprehension' }>, place: Place): Sketch {
  const list = listAt(loop.iterRange, place);
  const quantifier = quantifierOf(loop);
  const opaque = { path: list?.path, needed: list?.needed, initial: false, asks: { kind: 'truth' } } as const;
  if (list === undefined) return { kind: 'leaf', key: '', ...opaque };
  const element = { ...list, key: `${list.key}\0${0}` };
  const key = `?${list.key}`;
  if (quantifier !== undefined && loop.iterVar2 === undefined) {
    const local = bindingKey(loop.id, loop.iterVar);
    const apart = [key, `#${list.key}`];
    const elements = new Map([...(place.elements ?? []), [local, { ...element, type: 'string', apart }]]);
    const found = sketchAt(quantifier.predicate, { ...place, elements });
    if (isKnown(found)) return found;
  }
  return { kind: 'leaf', key, ...opaque, apart: [element.key] };
}

function isKnown(sketch: Sketch): boolean {
  switch (sketch.kind) {
    case 'leaf':
      return true;
    case 'not':
      return isKnown(sketch.part);
    case 'constant':
    case 'unknown':
      return false;
    default:
      return sketch.parts.every(isKnown);
  }
}

/** The list that a loop goes through: read from an input, or the answer of a function to literals. */
function listAt(range: Expr, place: Place): InputValue | undefined {
  const value = valueAt(range, place);
  if (value !== undefined || range.kind !== 'call') return value;
  const args = [...(range.target ? [range.target] : []), ...range.args].map(arg => literalText(arg, place));
  const overload = overloadOf(place.typed, range);
  if (overload === undefined || args.includes(undefined)) return undefined;
  // Names of headers in other letters mean the same.
  const key = JSON.stringify([overload.id, ...args]).toLowerCase();
  return { key, path: undefined, needed: undefined, type: 'list' };
}

/** What a loop goes through is nothing that is written out, whose elements could be told apart. */
function isOpaque(range: Expr, { typed, environment }: Place): boolean {
  if (range.kind === 'select') return true;
  if (range.kind === 'ident') return typed.references[range.id]?.kind === 'variable';
  if (range.kind !== 'call') return false;
  const overload = overloadOf(typed, range);
  if (overload?.body === undefined) return true;
  const body = environment.bodyOf(overload.id)?.typed;
  return body?.ast.root.kind === 'call' && overloadOf(body, body.ast.root)?.body === undefined;
}

function sketchOfCall(call: CallExpr, place: Place): Sketch {
  switch (call.function) {
    case '_&&_':
      return { kind: 'all', parts: call.args.map(arg => sketchAt(arg, place)) };
    case '_||_':
      return { kind: 'any', parts: call.args.map(arg => sketchAt(arg, place)) };
    case '!_':
      return { kind: 'not', part: sketchAt(call.args[0]!, place) };
    default: {
      const overload = overloadOf(place.typed, call);
      if (overload?.body !== undefined) return sketchOfBody(call, overload.id, place);
      return sketchOfTest(call, overload?.id, place) ?? sketchOfKey(call, place) ?? UNKNOWN;
    }
  }
}

function overloadOf(typed: TypedAst, call: CallExpr) {
  const reference = typed.references[call.id];
  return reference?.kind === 'function' && reference.overloads.length === 1 ? reference.overloads[0] : undefined;
}

function sketchOfBody(call: CallExpr, overload: string, place: Place): Sketch {
  const body = place.environment.bodyOf(overload);
  const args = call.target && body?.overload.member ? [call.target, ...call.args] : call.args;
  if (body === undefined || args.length !== body.paramNames.length) return UNKNOWN;
  const params = new Map(body.paramNames.map((name, index) => [name, { expr: args[index]!, place }]));
  const { typed } = body;
  return { kind: 'whole', parts: [sketchAt(typed.ast.root, { typed, environment: place.environment, params })] };
}

function sketchOfTest(call: CallExpr, overload: string | undefined, place: Place): Sketch | undefined {
  switch (overload) {
    case 'is_ip':
      return addressLeaf(call.args[0]!, place, undefined);
    case 'is_cidr': {
      const text = literalText(call.args[0]!, place);
      return text === undefined ? undefined : { kind: 'constant', holds: parseCidr(text) !== undefined };
    }
    case 'cidr_contains_ip_string': {
      const range = resolved(call.target!, place);
      const isRange = range.expr.kind === 'call' && overloadOf(range.place.typed, range.expr)?.id === 'string_to_cidr';
      const text = isRange ? literalText((range.expr as CallExpr).args[0]!, range.place) : undefined;
      const within = text === undefined ? undefined : parseCidr(text);
      return within && addressLeaf(call.args[0]!, place, within);
    }
    default: {
      const asked = askedBy(call, overload) ?? askedByPattern(call, overload, place);
      return asked && ('asks' in asked ? sketchOfPattern(asked, place) : sketchOfComparison(asked, place));
    }
  }
}

function addressLeaf(address: Expr, place: Place, within: ReturnType<typeof parseCidr>): Leaf | undefined {
  const value = valueAt(address, place);
  return value?.type === 'string' ? leaf(value, value.key, '~', { kind: 'address', within }) : undefined;
}

function sketchOfComparison(
  { operand, ...question }: NonNullable<ReturnType<typeof askedBy>>,
  place: Place,
): Leaf | undefined {
  const isText = typeof question.literals[0] === 'string';
  const value = valueAt(operand, place);
  if (value?.type === (isText ? 'string' : 'int'))
    return leaf(value, value.key, isText ? '~' : OTHER_NUMBER, { ...question, kind: 'value' });
  const sized = isText || value !== undefined ? undefined : sizedAt(operand, place);
  if (sized === undefined) return undefined;
  return sized.type === 'string'
    ? leaf(sized, sized.key, '~', { ...question, kind: 'size' })
    : leaf(sized, `#${sized.key}`, 1, { ...question, kind: 'size' });
}

const OTHER_NUMBER = 7919;

interface AskedPattern {
  readonly operand: Expr;
  readonly asks: PatternAsks;
}

/** `matches` with a literal; what is a search for a string in truth is one of those. */
function askedByPattern(
  { target, args }: CallExpr,
  overload: string | undefined,
  place: Place,
): Asked | AskedPattern | undefined {
  if (overload !== 'matches' && overload !== 'matches_string') return undefined;
  const [operand, pattern] = target === undefined ? args : [target, ...args];
  const source = pattern && literalText(pattern, place);
  if (operand === undefined || source === undefined) return undefined;
  const asked = patternQuestion(source, place.environment.limits);
  if (asked === undefined) return undefined;
  return asked.kind === 'pattern' ? { operand, asks: asked } : { ...asked.question, operand };
}

function sketchOfPattern({ operand, asks }: AskedPattern, place: Place): Leaf | undefined {
  const value = valueAt(operand, place);
  return value?.type === 'string' ? leaf(value, value.key, '~', asks) : undefined;
}

function leaf({ path, needed, apart }: InputValue, key: string, initial: MadeUp, asks: Leaf['asks']): Leaf {
  return { kind: 'leaf', key, path, needed, initial, asks, ...(apart && { apart }) };
}

const SIZED: ReadonlySet<string> = new Set(['string', 'list', 'map']);
const SIZES = /^(?:size_\w+|\w+_size)$/;

/** What `size` is asked of. */
function sizedAt(expr: Expr, place: Place): InputValue | undefined {
  const { expr: call, place: at } = resolved(expr, place);
  if (call.kind !== 'call' || !SIZES.test(overloadOf(at.typed, call)?.id ?? '')) return undefined;
  const sized = valueAt(call.target ?? call.args[0]!, at);
  return sized && SIZED.has(sized.type) ? sized : undefined;
}

/** `'X' in map`. */
function sketchOfKey(call: CallExpr, place: Place): Sketch | undefined {
  if (call.function !== '@in') return undefined;
  const key = literalText(call.args[0]!, place);
  return key === undefined ? undefined : presence(call.args[1]!, key, place);
}

function presence(map: Expr, name: string, place: Place): Sketch | undefined {
  const path = pathAt(map, place);
  if (path === undefined || typeAt(map, place) !== 'map' || name.includes('\0')) return undefined;
  return { kind: 'leaf', key: keyFor(path, name), path, needed: undefined, initial: false, asks: { kind: 'truth' } };
}

function keyFor(path: string, name: string): string {
  return `${path}\0${name}`;
}

/** A condition that is an input by itself, or asks with `has` whether there is one. */
function sketchOfInput(expr: Expr, place: Place): Sketch {
  if (expr.kind === 'select' && expr.testOnly) return presence(expr.operand, expr.field, place) ?? UNKNOWN;
  const path = typeAt(expr, place) === 'bool' ? pathAt(expr, place) : undefined;
  if (path === undefined) return UNKNOWN;
  return { kind: 'leaf', key: path, path, needed: undefined, initial: false, asks: { kind: 'truth' } };
}

/** A value that is read from an input. */
interface InputValue {
  readonly key: string;
  /** Of the input that it is, or is a part of. */
  readonly path: string | undefined;
  readonly needed: string | undefined;
  /** Kind of its type. */
  readonly type: string;
  /** Of the element of a list, keys about the list as a whole. */
  readonly apart?: readonly string[];
}

function valueAt(given: Expr, from: Place): InputValue | undefined {
  const { expr, place } = resolved(given, from);
  const type = typeAt(expr, place);
  const element = elementAt(expr, place);
  if (element !== undefined) return type === element.type ? element : undefined;
  const path = pathAt(expr, place);
  if (path !== undefined) return { key: path, path, needed: undefined, type };
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [container, index] = [expr.args[0]!, resolved(expr.args[1]!, place).expr];
  if (index.kind !== 'literal') return undefined;
  const { type: kind, value } = index.literal;
  if (typeAt(container, place) === 'map') {
    const map = pathAt(container, place);
    if (map === undefined || kind !== 'string' || value.includes('\0')) return undefined;
    const needed = keyFor(map, value);
    return { key: `=${needed}`, path: map, needed, type };
  }
  const list = kind === 'int' && typeAt(container, place) === 'list' ? valueAt(container, place) : undefined;
  return list && { ...list, key: `${list.key}\0${value}`, type };
}

/** What a variable of a loop stands for. */
function elementAt(expr: Expr, { typed, elements }: Place): InputValue | undefined {
  const reference = expr.kind === 'ident' ? typed.references[expr.id] : undefined;
  return reference?.kind === 'local' ? elements?.get(bindingKey(reference.scope, reference.name)) : undefined;
}

/** What a parameter of a body stands for; the expression itself where it is none. */
function resolved(expr: Expr, place: Place): Located {
  const reference = expr.kind === 'ident' ? place.typed.references[expr.id] : undefined;
  const isParam = reference?.kind === 'local' && reference.scope === 0;
  const found = isParam ? place.params?.get(reference.name) : undefined;
  return found ? resolved(found.expr, found.place) : { expr, place };
}

function literalText(expr: Expr, place: Place): string | undefined {
  const { expr: literal } = resolved(expr, place);
  return literal.kind === 'literal' && literal.literal.type === 'string' ? literal.literal.value : undefined;
}

function typeAt(expr: Expr, { typed }: Place): string {
  return typed.types[expr.id]?.kind ?? 'dyn';
}

/** Of selections from a declared variable, as far as there are fields of objects. */
function pathAt(expr: Expr, place: Place): string | undefined {
  const reference = place.typed.references[expr.id];
  if (reference?.kind === 'variable') return reference.name;
  if (expr.kind !== 'select' || expr.testOnly || typeAt(expr.operand, place) !== 'object') return undefined;
  const operand = pathAt(expr.operand, place);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}
