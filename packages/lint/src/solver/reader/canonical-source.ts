import type { Expr, Literal } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { bindingKey, operandsOf, pathOf, type ReaderContext } from './reader-context.ts';

/**
 * Returns a string that is equal for expressions with the same value in every evaluation. Local names are resolved, loop variables
 * numbered by depth; volatile calls are unique.
 */
export function canonicalSource(reader: ReaderContext, expr: Expr): string {
  return write({ reader, depths: new Map() }, expr);
}

interface WriterContext {
  readonly reader: ReaderContext;
  /** The nesting depth of each loop. */
  readonly depths: Map<number, number>;
}

function write(writer: WriterContext, expr: Expr): string {
  const { reader } = writer;
  const path = pathOf(reader, expr);
  if (path !== undefined) return path;
  switch (expr.kind) {
    case 'literal':
      return literalText(expr.literal);
    case 'ident':
      return writeName(writer, expr);
    case 'select':
      return `${write(writer, expr.operand)}.${expr.testOnly ? '?' : ''}${JSON.stringify(expr.field)}`;
    case 'call':
      return writeCall(writer, expr);
    case 'comprehension':
      return writeLoop(writer, expr);
    case 'list':
      return `[${writeAll(writer, expr.elements)}]${expr.optionalIndices.join()}`;
    case 'map':
      return `{${expr.entries.map(entry => `${writeAll(writer, [entry.key, entry.value])}${entry.optional}`)}}`;
    case 'struct':
      return `${expr.typeName}{${expr.fields.map(({ field, value, optional }) => `${field}${optional}${write(writer, value)}`)}}`;
    case 'error':
      return nextVolatile(writer);
  }
}

function writeAll(writer: WriterContext, exprs: readonly Expr[]): string {
  return exprs.map(expr => write(writer, expr)).join();
}

function literalText({ type, value }: Literal): string {
  if (type === 'string') return JSON.stringify(value);
  if (type === 'double') return `d${Object.is(value, -0) ? '-0' : value}`;
  return type === 'int' ? `${value}` : `${type}:${value}`;
}

function writeName(writer: WriterContext, expr: Extract<Expr, { kind: 'ident' }>): string {
  const reference = writer.reader.typed.references[expr.id];
  if (reference?.kind !== 'local') return reference === undefined ? nextVolatile(writer) : expr.name;
  const bound = writer.reader.bindings.get(bindingKey(reference.scope, reference.name));
  if (bound !== undefined) return write(writer, bound);
  const depth = writer.depths.get(reference.scope);
  return depth === undefined ? nextVolatile(writer) : `$${depth}.${reference.name}`;
}

const EITHER_WAY: ReadonlySet<string> = new Set(['_==_', '_!=_']);

function writeCall(writer: WriterContext, call: Extract<Expr, { kind: 'call' }>): string {
  const reference = writer.reader.typed.references[call.id];
  if (reference?.kind !== 'function') return nextVolatile(writer);
  if (reference.overloads.some(({ id }) => writer.reader.facts.isVolatile(id))) return nextVolatile(writer);
  const operands = operandsOf(writer.reader, call).map(operand => write(writer, operand));
  if (!EITHER_WAY.has(call.function)) return `${reference.name}(${operands.join()})`;
  return `${call.function}(${operands.sort().join()})`;
}

function nextVolatile(writer: WriterContext): string {
  return `#${writer.reader.vocabulary.volatileCount++}`;
}

function writeLoop(writer: WriterContext, loop: Extract<Expr, { kind: 'comprehension' }>): string {
  writer.depths.set(loop.id, writer.depths.size);
  const names = `${loop.iterVar},${loop.iterVar2 ?? ''},${loop.accuVar}`;
  const text = `fold(${names},${writeAll(writer, childrenOf(loop))})`;
  writer.depths.delete(loop.id);
  return text;
}
