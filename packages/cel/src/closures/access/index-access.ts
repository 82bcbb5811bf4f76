import type { CallExpr, Expr } from '../../ast/ast.ts';
import { elementAt } from '../../runtime/host/access.ts';
import { lookUp, type MapValue, mapKeyOf } from '../../runtime/host/map.ts';
import { DYN, type Type } from '../../types/type.ts';
import { INDEX_OUT_OF_RANGE, NO_SUCH_KEY, noSuchKey } from '../../values/errors.ts';
import { type EvaluationError, NonValue, type Value } from '../../values/value.ts';
import { type Code, type Compiler, errorAt, locator } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { withPath } from './path.ts';
import { type Reader, readerAt } from './reading.ts';

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

interface Found {
  readonly read: Reader;
  readonly absent: EvaluationError;
}

/** Compiles the lookup of a constant key. */
function entryOf(map: Code, key: string, { read, absent }: Found): Code {
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
