import { childrenOf, type Expr, type Literal } from '@tollgate/cel';
import { bindingKey, operandsOf, pathOf, type Reading } from './reader-context.ts';

/**
 * An expression as text, equal for all that have the same value in every evaluation. Local names are replaced by what they stand for,
 * iteration variables by their depth; what is volatile equals nothing.
 */
export function canonicalText(reading: Reading, expr: Expr): string {
  return write({ reading, depths: new Map() }, expr);
}

interface Writing {
  readonly reading: Reading;
  /** How deep the loop stands that has the scope. */
  readonly depths: Map<number, number>;
}

function write(writing: Writing, expr: Expr): string {
  const { reading } = writing;
  const path = pathOf(reading, expr);
  if (path !== undefined) return path;
  switch (expr.kind) {
    case 'literal':
      return literalText(expr.literal);
    case 'ident':
      return writeName(writing, expr);
    case 'select':
      return `${write(writing, expr.operand)}.${expr.testOnly ? '?' : ''}${JSON.stringify(expr.field)}`;
    case 'call':
      return writeCall(writing, expr);
    case 'comprehension':
      return writeLoop(writing, expr);
    case 'list':
      return `[${writeAll(writing, expr.elements)}]${expr.optionalIndices.join()}`;
    case 'map':
      return `{${expr.entries.map(entry => `${writeAll(writing, [entry.key, entry.value])}${entry.optional}`)}}`;
    case 'struct':
      return `${expr.typeName}{${expr.fields.map(({ field, value, optional }) => `${field}${optional}${write(writing, value)}`)}}`;
    case 'error':
      return nextVolatile(writing);
  }
}

function writeAll(writing: Writing, exprs: readonly Expr[]): string {
  return exprs.map(expr => write(writing, expr)).join();
}

export function literalText({ type, value }: Literal): string {
  if (type === 'string') return JSON.stringify(value);
  if (type === 'double') return `d${Object.is(value, -0) ? '-0' : value}`;
  return type === 'int' ? `${value}` : `${type}:${value}`;
}

function writeName(writing: Writing, expr: Extract<Expr, { kind: 'ident' }>): string {
  const reference = writing.reading.typed.references[expr.id];
  if (reference?.kind !== 'local') return reference === undefined ? nextVolatile(writing) : expr.name;
  const bound = writing.reading.bindings.get(bindingKey(reference.scope, reference.name));
  if (bound !== undefined) return write(writing, bound);
  const depth = writing.depths.get(reference.scope);
  return depth === undefined ? nextVolatile(writing) : `$${depth}.${reference.name}`;
}

const EITHER_WAY: ReadonlySet<string> = new Set(['_==_', '_!=_']);

function writeCall(writing: Writing, call: Extract<Expr, { kind: 'call' }>): string {
  const reference = writing.reading.typed.references[call.id];
  if (reference?.kind !== 'function') return nextVolatile(writing);
  if (reference.overloads.some(({ id }) => writing.reading.facts.isVolatile(id))) return nextVolatile(writing);
  const operands = operandsOf(writing.reading, call).map(operand => write(writing, operand));
  if (!EITHER_WAY.has(call.function)) return `${reference.name}(${operands.join()})`;
  return `${call.function}(${operands.sort().join()})`;
}

function nextVolatile(writing: Writing): string {
  return `#${writing.reading.vocabulary.volatileCount++}`;
}

function writeLoop(writing: Writing, loop: Extract<Expr, { kind: 'comprehension' }>): string {
  writing.depths.set(loop.id, writing.depths.size);
  const names = `${loop.iterVar},${loop.iterVar2 ?? ''},${loop.accuVar}`;
  const text = `fold(${names},${writeAll(writing, childrenOf(loop))})`;
  writing.depths.delete(loop.id);
  return text;
}
