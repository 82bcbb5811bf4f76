// Closures that read: variables, fields, keys, indices and optional members, with fast paths for constant steps.

import type { CallExpr, Expr, Reference, SelectExpr } from '../ast/ast.ts';
import { DYN, nonNull, optionalOf, type Type } from '../ast/types.ts';
import type { Activation } from '../checker/environment.ts';
import { hostReader, lookUp, type MapValue, mapKeyOf } from '../runtime/host.ts';
import { elementAt, fieldOf, isRecord, memberOf, optionalMember, taggedReader } from '../runtime/host-access.ts';
import { INDEX_OUT_OF_RANGE, NO_SUCH_KEY, noSuchField, noSuchKey } from '../values/errors.ts';
import {
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  type HostObject,
  IpAddress,
  NonValue,
  Optional,
  TypeValue,
  typeValueOf,
  Unknown,
  type Value,
  wholeOf,
} from '../values/value.ts';
import {
  type Code,
  type Compiler,
  compileWhole,
  convertCode,
  errorAt,
  type Locals,
  locator,
  type Outcome,
} from './code.ts';

/** `operand[index]`. */
export function compileIndex(call: CallExpr, compiler: Compiler): Code {
  const [operand, index] = call.args as readonly [Expr, Expr];
  const from = compiler.typeOf(operand);
  if (from.kind === 'list' && compiler.typeOf(index).kind === 'int')
    return withPath(call, listIndex(call, compiler), compiler);
  if (from.kind === 'map') return withPath(call, mapIndex(call, compiler), compiler);
  return taggedIndex(call, compiler);
}

function listIndex(call: CallExpr, compiler: Compiler): Code {
  const [operand, index] = call.args as readonly [Expr, Expr];
  const list = compiler.compile(operand);
  const position = compiler.compile(index);
  const read = readerAt(compiler.typeOf(call), call.id);
  const outside = errorAt(call.id, INDEX_OUT_OF_RANGE.code, INDEX_OUT_OF_RANGE.message);
  return (activation, locals) => {
    const container = list(activation, locals);
    if (container instanceof NonValue) return container;
    const at = position(activation, locals);
    if (at instanceof NonValue) return at;
    const elements = container as readonly Value[];
    return typeof at === 'number' && at >= 0 && at < elements.length ? read(elements[at]) : outside;
  };
}

function mapIndex(call: CallExpr, compiler: Compiler): Code {
  const [operand, index] = call.args as readonly [Expr, Expr];
  const map = compiler.compile(operand);
  const key = keyCode(index, call, compiler);
  const read = readerAt(compiler.typeOf(call), call.id);
  const { code, message } = index.kind === 'literal' ? noSuchKey(literalSource(index)) : NO_SUCH_KEY;
  const absent = errorAt(call.id, code, message);
  const constant = compiler.constantOf(key);
  if (typeof constant === 'string') return entryOf(map, constant, { read, absent });
  return (activation, locals) => {
    const container = map(activation, locals);
    if (container instanceof NonValue) return container;
    const at = key(activation, locals);
    if (at instanceof NonValue) return at;
    const mapKey = mapKeyOf(at);
    const value = mapKey === undefined ? undefined : lookUp(container as MapValue, mapKey);
    return value === undefined ? absent : read(value);
  };
}

/** Compiles the lookup of a constant key. */
function entryOf(
  map: Code,
  key: string,
  { read, absent }: { readonly read: Reader; readonly absent: EvaluationError },
): Code {
  return (activation, locals) => {
    const container = map(activation, locals);
    if (container instanceof NonValue) return container;
    const value = lookUp(container as MapValue, key);
    return value === undefined ? absent : read(value);
  };
}

function literalSource(expr: Extract<Expr, { kind: 'literal' }>): string {
  const { value } = expr.literal;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Typed scalars are keys as they are; doubles must be distinguished from ints. */
function keyCode(index: Expr, call: CallExpr, compiler: Compiler): Code {
  const from = compiler.typeOf(index);
  const code = compiler.compile(index);
  return BARE_KEYS.has(from.kind) ? code : convertCode(code, { from, to: DYN, exprId: call.id });
}

const BARE_KEYS: ReadonlySet<Type['kind']> = new Set(['string', 'int', 'uint', 'bool']);

/** Both operands are tagged; the result is read as a value of the call's type. */
function taggedIndex(call: CallExpr, compiler: Compiler): Code {
  const [left, right] = call.args.map(arg =>
    convertCode(compiler.compile(arg), { from: compiler.typeOf(arg), to: DYN, exprId: call.id }),
  ) as [Code, Code];
  const locate = locator(call.id);
  const read = readerAt(compiler.typeOf(call), call.id);
  return (activation, locals) => {
    const container = left(activation, locals);
    if (container instanceof NonValue) return container;
    const index = right(activation, locals);
    if (index instanceof NonValue) return index;
    const found = elementAt(container, index);
    return found instanceof NonValue ? locate(found) : read(found);
  };
}

/** `operand.field`, and `has(operand.field)`. */
export function compileSelect(select: SelectExpr, compiler: Compiler): Code {
  if (select.testOnly) return compilePresence(select, compiler);
  const exact = compileSelection(select, compiler);
  return withPath(select, exact, compiler);
}

function compileSelection(select: SelectExpr, compiler: Compiler): Code {
  const operand = compiler.compile(select.operand);
  const from = nonNull(compiler.typeOf(select.operand));
  const member = memberReader(from, select.field);
  const read = readerAt(compiler.typeOf(select), select.id);
  const absent = absenceAt(from, select);
  return (activation, locals) => {
    const container = operand(activation, locals);
    if (container instanceof NonValue) return container;
    const value = member(container);
    return value === undefined ? absent : read(value);
  };
}

/** The result is false if the field is absent, and otherwise the error or unknown that selecting it would return. */
function compilePresence(select: SelectExpr, compiler: Compiler): Code {
  const operand = compiler.compile(select.operand);
  const from = nonNull(compiler.typeOf(select.operand));
  const member = memberReader(from, select.field);
  const read = readerAt(memberType(from, select.field, compiler), select.id);
  return (activation, locals) => {
    const container = operand(activation, locals);
    if (container instanceof NonValue) return container;
    const value = member(container);
    if (value === undefined) return false;
    const outcome = read(value);
    if (outcome instanceof NonValue) return outcome;
    return !(container instanceof Optional) || (outcome as Optional).value !== undefined;
  };
}

function memberType(from: Type, field: string, compiler: Compiler): Type {
  if (from.kind === 'map') return from.value;
  const object = from.kind === 'object' ? compiler.env.objects.get(from.name) : undefined;
  return object?.fields.get(field)?.type ?? DYN;
}

function absenceAt(from: Type, select: SelectExpr): EvaluationError {
  const { code, message } =
    from.kind === 'object' ? noSuchField(select.field) : noSuchKey(JSON.stringify(select.field));
  return errorAt(select.id, code, message);
}

/** Returns a function that returns the member of a value, unread; undefined if it is absent. */
function memberReader(from: Type, field: string): (container: Value) => unknown {
  switch (from.kind) {
    case 'object':
      return container => fieldOf(container as MapValue | null, field);
    case 'map':
      return container => lookUp(container as MapValue, field);
    default:
      return container => memberOf(container, field);
  }
}

/** Compiles a name, which may be a qualified one (`a.b` as one variable); undefined if it refers to nothing. */
export function compileName(expr: Expr, compiler: Compiler): Code | undefined {
  const reference = compiler.typed.references[expr.id];
  switch (reference?.kind) {
    case 'variable':
      return withPath(expr, compileVariable(reference.name, expr, compiler), compiler);
    case 'local':
      return compileLocal(reference, expr, compiler);
    case 'type':
      return compiler.constant(typeValueOf(reference.type));
    default:
      return undefined;
  }
}

export function undeclared(exprId: number, name: string, compiler: Compiler): Code {
  return compiler.constant(errorAt(exprId, 'eval/undeclared-reference', `\`${name}\` is not declared`));
}

function compileVariable(name: string, expr: Expr, compiler: Compiler): Code {
  const missing = errorAt(expr.id, 'eval/no-such-variable', `the variable \`${name}\` has no value`);
  const source: Source = activation => {
    const value = Object.hasOwn(activation, name) ? activation[name] : undefined;
    if (value !== undefined) return value;
    return wholeOf(activation) !== undefined ? new Unknown([name]) : missing;
  };
  return readCode(source, compiler.typeOf(expr), expr.id);
}

function compileLocal(reference: Extract<Reference, { kind: 'local' }>, expr: Expr, compiler: Compiler): Code {
  const local = compiler.localOf(reference.scope, reference.name);
  if (local === undefined) return undeclared(expr.id, reference.name, compiler);
  const { slot, compute } = local;
  const type = compiler.typeOf(expr);
  if (local.raw) return readCode((_, locals) => locals[slot], type, expr.id);
  return convertCode(compute === undefined ? (_, locals) => locals[slot] as Outcome : computedOnce(slot, compute), {
    from: local.type,
    to: type,
    exprId: expr.id,
  });
}

function computedOnce(slot: number, compute: Code): Code {
  return (activation, locals) => {
    const known = locals[slot] as Outcome | undefined;
    if (known !== undefined) return known;
    const outcome = compute(activation, locals);
    locals[slot] = outcome;
    return outcome;
  };
}

/** `operand.?field` and `operand[?index]`. */
export function compileOptionalAccess(call: CallExpr, compiler: Compiler): Code {
  const [container, index] = call.args.map(arg =>
    convertCode(compiler.compile(arg), { from: compiler.typeOf(arg), to: DYN, exprId: call.id }),
  ) as [Code, Code];
  const type = compiler.typeOf(call);
  const read = taggedReader(type.kind === 'optional' ? type.value : DYN);
  const locate = locator(call.id);
  return (activation, locals) => {
    const from = container(activation, locals);
    if (from instanceof NonValue) return from;
    const at = index(activation, locals);
    if (at instanceof NonValue) return at;
    const outcome = optionalMember(from, at, read);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}

/** `a.or(b)` and `a.orValue(b)`: the second operand is evaluated only if the first is empty. */
export function compileAlternative(call: CallExpr, overloadId: string, compiler: Compiler): Code | undefined {
  const unwraps = overloadId === 'optional_orValue_value';
  if (!unwraps && overloadId !== 'optional_or_optional') return undefined;
  const [target, alternative] = [call.target, call.args[0]] as readonly [Expr, Expr];
  const tagged = (expr: Expr, to: Type = DYN): Code =>
    convertCode(compileWhole(expr, compiler), { from: compiler.typeOf(expr), to, exprId: call.id });
  const optional = tagged(target, optionalOf(DYN));
  const otherwise = unwraps ? tagged(alternative) : tagged(alternative, optionalOf(DYN));
  const code: Code = (activation, locals) => {
    const outcome = optional(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const { value } = outcome as Optional;
    if (value === undefined) return otherwise(activation, locals);
    return unwraps ? value : outcome;
  };
  return convertCode(code, { from: unwraps ? DYN : optionalOf(DYN), to: compiler.typeOf(call), exprId: call.id });
}

/** Property names that lead from the activation to a value, optionally followed by a list index. */
interface Path {
  readonly names: readonly string[];
  readonly position: number | undefined;
}

/**
 * Adds a fast path to code that reads a variable and constant steps into it, such as `req.Headers["Host"][0]`: plain loads followed by one
 * type test. If the test fails, `exact` runs; it alone determines errors.
 */
function withPath(expr: Expr, exact: Code, compiler: Compiler): Code {
  const type = compiler.typeOf(expr);
  const path = FAST_KINDS.has(type.kind) ? pathOf(expr, compiler) : undefined;
  if (path === undefined) return exact;
  const { names, position } = path;
  if (!compiler.env.plainData) return position === undefined ? withFastPath(ownPath(names), type, exact) : exact;
  if (position !== undefined) return type.kind === 'string' ? stringAt(names, position, exact) : exact;
  if (type.kind === 'string') return stringPath(names, exact);
  return type.kind === 'int' ? intPath(names, exact) : withFastPath(plainPath(names), type, exact);
}

/** Types that a single test of the JavaScript type can confirm. */
const FAST_KINDS: ReadonlySet<Type['kind']> = new Set(['string', 'int', 'bool', 'double', 'list', 'map', 'object']);

/** Returns the path that an expression is; undefined if it is not a path or plain loads could be wrong. */
function pathOf(expr: Expr, compiler: Compiler): Path | undefined {
  const position = positionOf(expr, compiler);
  const names: string[] = [];
  let at = position === undefined ? expr : (expr as CallExpr).args[0]!;
  for (;;) {
    const reference = compiler.typed.references[at.id];
    if (reference?.kind === 'variable') {
      names.push(reference.name);
      return names.every(isPlainKey) ? { names: names.reverse(), position } : undefined;
    }
    const step = stepOf(at, compiler);
    if (step === undefined) return undefined;
    names.push(step.name);
    at = step.from;
  }
}

/** Returns the index of `list[0]`. */
function positionOf(expr: Expr, compiler: Compiler): number | undefined {
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [from, index] = expr.args as readonly [Expr, Expr];
  if (index.kind !== 'literal' || compiler.typeOf(from).kind !== 'list') return undefined;
  const { value } = index.literal;
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function stepOf(expr: Expr, compiler: Compiler): { readonly from: Expr; readonly name: string } | undefined {
  if (expr.kind === 'select' && !expr.testOnly) {
    return holdsNames(expr.operand, compiler) ? { from: expr.operand, name: expr.field } : undefined;
  }
  if (expr.kind !== 'call' || expr.function !== '_[_]') return undefined;
  const [from, index] = expr.args as readonly [Expr, Expr];
  const name = index.kind === 'literal' ? index.literal.value : undefined;
  return typeof name === 'string' && holdsNames(from, compiler) ? { from, name } : undefined;
}

function holdsNames(expr: Expr, compiler: Compiler): boolean {
  const { kind } = compiler.typeOf(expr);
  return kind === 'map' || kind === 'object';
}

/**
 * Returns true if a plain load of the key can find only an own property of a map or object, even if the host passed a value of another
 * kind.
 */
function isPlainKey(key: string): boolean {
  return !/^[0-9]/.test(key) && !HOST_VALUES.some(holder => key in holder);
}

const HOST_VALUES: readonly object[] = [
  [],
  '',
  0,
  true,
  () => undefined,
  new CelMap(),
  new CelUint(0),
  new Date(0),
  new Duration(0, 0),
  new EvaluationError('', ''),
  new Unknown([]),
  new TypeValue(''),
  new CidrRange(new IpAddress(new Uint8Array()), 0),
  new Uint8Array(),
].map(Object);

interface Loads {
  readonly [name: string]: Loads | undefined;
}

/** Reads own properties only; undefined if one is absent. */
function ownPath(names: readonly string[]): (activation: Activation) => unknown {
  const [a, b] = names as readonly [string, string];
  if (names.length === 1) return activation => ownLoad(activation, a);
  if (names.length === 2) return activation => ownLoad(ownLoad(activation, a), b);
  return activation => {
    let at: unknown = activation;
    for (let i = 0; i < names.length; i += 1) at = ownLoad(at, names[i] as string);
    return at;
  };
}

function ownLoad(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? (from as Loads)[name] : undefined;
}

/** Unrolled for the usual lengths, so that a read is one call with inline caches of its own. */
function plainPath(names: readonly string[]): (activation: Activation) => unknown {
  const [a, b, c] = names as readonly [string, string, string];
  if (names.length === 2) return activation => (activation as Loads)[a]?.[b];
  if (names.length === 3) return activation => (activation as Loads)[a]?.[b]?.[c];
  return activation => {
    let at: Loads | undefined = activation as Loads;
    for (let i = 0; i < names.length; i += 1) at = at?.[names[i] as string];
    return at;
  };
}

function stringPath(names: readonly string[], exact: Code): Code {
  const [a, b, c] = names as readonly [string, string, string];
  if (names.length === 2) {
    return (activation, locals) => {
      const value: unknown = (activation as Loads)[a]?.[b];
      return typeof value === 'string' ? value : exact(activation, locals);
    };
  }
  if (names.length === 3) {
    return (activation, locals) => {
      const value: unknown = (activation as Loads)[a]?.[b]?.[c];
      return typeof value === 'string' ? value : exact(activation, locals);
    };
  }
  return withFastPath(plainPath(names), { kind: 'string' }, exact);
}

function intPath(names: readonly string[], exact: Code): Code {
  const [a, b] = names as readonly [string, string];
  if (names.length !== 2) return withFastPath(plainPath(names), { kind: 'int' }, exact);
  return (activation, locals) => {
    const value: unknown = (activation as Loads)[a]?.[b];
    if (typeof value === 'number') {
      const small = value | 0;
      if (small === value) return small;
      if (Number.isSafeInteger(value)) return value;
    }
    return exact(activation, locals);
  };
}

/** Reads a string at an index of a list, such as a header's value. */
function stringAt(names: readonly string[], position: number, exact: Code): Code {
  const path = plainPath(names);
  if (names.length !== 3) {
    return (activation, locals) => {
      const list = path(activation);
      const value: unknown = Array.isArray(list) ? list[position] : undefined;
      return typeof value === 'string' ? value : exact(activation, locals);
    };
  }
  const [a, b, c] = names as readonly [string, string, string];
  return (activation, locals) => {
    const list: unknown = (activation as Loads)[a]?.[b]?.[c];
    const value: unknown = Array.isArray(list) ? list[position] : undefined;
    return typeof value === 'string' ? value : exact(activation, locals);
  };
}

/** Returns a key that is equal for expressions that read the same path; undefined if the expression is not a path. */
export function pathKey(expr: Expr, compiler: Compiler): string | undefined {
  const path = pathOf(expr, compiler);
  return path && [...path.names, path.position].join('\n');
}

/**
 * Compiles a comparison of a path with a constant string into one function; undefined if the expression is not a path of a usual length.
 */
export function pathEquals(
  expr: Expr,
  text: string,
  { exact, compiler }: { readonly exact: Code; readonly compiler: Compiler },
): Code | undefined {
  const path = pathOf(expr, compiler);
  if (path === undefined || path.position !== undefined || !compiler.env.plainData) return undefined;
  const [a, b, c] = path.names as readonly [string, string, string];
  switch (path.names.length) {
    case 2:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b];
        if (value === text) return true;
        return typeof value === 'string' ? false : exact(activation, locals);
      };
    case 3:
      return (activation, locals) => {
        const value: unknown = (activation as Loads)[a]?.[b]?.[c];
        if (value === text) return true;
        return typeof value === 'string' ? false : exact(activation, locals);
      };
    default:
      return undefined;
  }
}

/** Returns a value of host data, or an element of a list or map, unread; undefined if there is none. */
type Source = (activation: Activation, locals: Locals) => unknown;

/** Reads an unread value as one of a static type: unboxes numbers and checks host data. */
type Reader = (value: unknown) => Outcome;

/** Returns a reader whose errors have the location of the expression. */
function readerAt(type: Type, exprId: number): Reader {
  const read = hostReader(type);
  const locate = locator(exprId);
  return value => {
    const outcome = read(value);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}

/** Reads a source as a value of a static type. The most common cases need no call. */
function readCode(source: Source, type: Type, exprId: number): Code {
  return withFastPath(source, type, readingOf(readerAt(type, exprId)));
}

function readingOf(read: Reader): Miss {
  return (_activation, _locals, value) => read(value);
}

/** Runs if the fast path does not apply. */
type Miss = (activation: Activation, locals: Locals, value: unknown) => Outcome;

/** Returns the value of the source if a test of its JavaScript type suffices, and otherwise the result of `miss`. */
function withFastPath(source: Source, type: Type, miss: Miss): Code {
  switch (type.kind) {
    case 'string':
      return (activation, locals) => {
        const value = source(activation, locals);
        return typeof value === 'string' ? value : miss(activation, locals, value);
      };
    case 'int':
      return (activation, locals) => {
        const value = source(activation, locals);
        if (typeof value === 'number') {
          const small = value | 0;
          if (small === value) return small;
          if (Number.isSafeInteger(value)) return value;
        }
        return miss(activation, locals, value);
      };
    case 'bool':
      return (activation, locals) => {
        const value = source(activation, locals);
        return typeof value === 'boolean' ? value : miss(activation, locals, value);
      };
    case 'double':
      return (activation, locals) => {
        const value = source(activation, locals);
        return typeof value === 'number' ? value : miss(activation, locals, value);
      };
    case 'list':
      return (activation, locals) => {
        const value = source(activation, locals);
        return Array.isArray(value) ? value : miss(activation, locals, value);
      };
    case 'map':
    case 'object':
      return (activation, locals) => {
        const value = source(activation, locals);
        return isRecord(value) ? (value as HostObject) : miss(activation, locals, value);
      };
    default:
      return (activation, locals) => miss(activation, locals, source(activation, locals));
  }
}
