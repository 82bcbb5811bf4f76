import type { CallExpr, ComprehensionExpr, Expr, Literal } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';

/** One step from a value to a part of it. */
type ReadStep =
  | { readonly kind: 'field'; readonly name: string }
  /** The value of a map at a constant key. */
  | { readonly kind: 'key'; readonly key: Literal };

/** Part of an input that an expression reads, including everything in it. Without steps, it is the whole variable. */
export interface Read {
  readonly variable: string;
  readonly steps: readonly ReadStep[];
  /** Written as in source: `req.Method`, `req.Headers["X-Key"]`. */
  readonly text: string;
}

/**
 * Returns the inputs that an expression may read, directly or through local names, sorted by `text`. A part is not listed if the whole that
 * contains it is. An element of a list counts as the list, and a key that is not constant as the map.
 */
export function readsOf(typed: TypedAst): readonly Read[] {
  const reading: Reading = { typed, aliases: new Map(), reads: new Map() };
  visit(reading, typed.ast.root);
  const reads = [...reading.reads.values()];
  return reads.filter(read => !isWithinAnother(read, reading.reads)).toSorted(byText);
}

/** Returns the path of the fields that are read, such as `a.b.c`, without keys and indices. */
export function fieldPathOf({ variable, steps }: Read): string {
  const end = steps.findIndex(step => step.kind !== 'field');
  const fields = (end < 0 ? steps : steps.slice(0, end)).flatMap(step => (step.kind === 'field' ? [step.name] : []));
  return [variable, ...fields].join('.');
}

interface Reading {
  readonly typed: TypedAst;
  /** The parts of inputs that local names stand for, by scope and name. */
  readonly aliases: Map<string, Read>;
  readonly reads: Map<string, Read>;
}

function isWithinAnother({ variable, steps }: Read, reads: ReadonlyMap<string, Read>): boolean {
  let text = variable;
  for (const step of steps) {
    if (reads.has(text)) return true;
    text += stepText(step);
  }
  return false;
}

function byText(a: Read, b: Read): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

function visit(reading: Reading, expr: Expr): void {
  const read = readAt(reading, expr);
  if (read !== undefined) {
    reading.reads.set(read.text, read);
    visitIndices(reading, expr);
  } else if (expr.kind === 'comprehension') {
    visitComprehension(reading, expr);
  } else if (expr.kind === 'call' && reading.typed.references[expr.id] !== undefined && isNamespaced(reading, expr)) {
    for (const arg of expr.args) visit(reading, arg);
  } else {
    for (const child of childrenOf(expr)) visit(reading, child);
  }
}

/** The target of `math.least(…)` is part of the function's name. */
function isNamespaced({ typed }: Reading, call: CallExpr): boolean {
  return call.target !== undefined && typed.types[call.target.id] === undefined;
}

/** Returns the part of an input that a node reads or tests for presence; undefined for all other nodes. */
function readAt(reading: Reading, expr: Expr): Read | undefined {
  const reference = reading.typed.references[expr.id];
  if (reference?.kind === 'variable') return { variable: reference.name, steps: [], text: reference.name };
  if (reference?.kind === 'local') return reading.aliases.get(aliasKey(reference.scope, reference.name));
  if (expr.kind === 'select') return partOf(reading, expr.operand, { type: 'string', value: expr.field }, true);
  return expr.kind === 'call' ? readAtCall(reading, expr) : undefined;
}

function readAtCall(reading: Reading, { function: name, args }: CallExpr): Read | undefined {
  const [first, second] = args;
  if (first === undefined || second === undefined) return undefined;
  switch (name) {
    case '_?._':
      return second.kind === 'literal' ? partOf(reading, first, second.literal, true) : undefined;
    case '_[_]':
    case '_[?_]':
      return indexed(reading, first, second);
    case '@in':
      return first.kind === 'literal' && isMap(reading, second)
        ? partOf(reading, second, first.literal, false)
        : undefined;
    default:
      return undefined;
  }
}

function indexed(reading: Reading, container: Expr, index: Expr): Read | undefined {
  if (index.kind === 'literal' && isKeyed(reading, container, index.literal))
    return partOf(reading, container, index.literal, false);
  return readAt(reading, container);
}

function partOf(reading: Reading, whole: Expr, key: Literal, isField: boolean): Read | undefined {
  const read = readAt(reading, whole);
  if (read === undefined || isElement(reading, whole)) return read;
  const field = isField && key.type === 'string' && !isMap(reading, whole);
  const step: ReadStep = field ? { kind: 'field', name: String(key.value) } : { kind: 'key', key };
  return { ...read, steps: [...read.steps, step], text: read.text + stepText(step) };
}

function isMap({ typed }: Reading, expr: Expr): boolean {
  const type = typed.types[expr.id];
  return type?.kind === 'map' || (type?.kind === 'optional' && type.value.kind === 'map');
}

/** Returns true if indexing looks up a key rather than an element of a list. */
function isKeyed(reading: Reading, container: Expr, key: Literal): boolean {
  return isMap(reading, container) || (key.type === 'string' && reading.typed.types[container.id]?.kind === 'dyn');
}

/** Returns true for `x[i]` of a list. It counts as a read of the list, so further steps do not extend the path. */
function isElement(reading: Reading, expr: Expr): boolean {
  if (expr.kind === 'select') return isElement(reading, expr.operand);
  if (expr.kind !== 'call') return false;
  const [container, index] = expr.args;
  if (container === undefined || index === undefined) return false;
  if (expr.function === '_?._') return isElement(reading, container);
  if (index.kind !== 'literal' || !isKeyed(reading, container, index.literal)) return true;
  return isElement(reading, container);
}

/** An index that is not constant reads inputs itself. */
function visitIndices(reading: Reading, expr: Expr): void {
  if (expr.kind === 'select') visitIndices(reading, expr.operand);
  if (expr.kind !== 'call' || expr.args.length !== 2) return;
  const [container, index] = expr.function === '@in' ? [expr.args[1]!, expr.args[0]!] : [expr.args[0]!, expr.args[1]!];
  visitIndices(reading, container);
  if (index.kind !== 'literal') visit(reading, index);
}

/** `cel.bind` names a part of an input without reading it; a loop reads its whole range. */
function visitComprehension(reading: Reading, expr: ComprehensionExpr): void {
  const alias = isBinding(expr) ? readAt(reading, expr.accuInit) : undefined;
  if (alias !== undefined && !isElement(reading, expr.accuInit)) {
    visitIndices(reading, expr.accuInit);
    reading.aliases.set(aliasKey(expr.id, expr.accuVar), alias);
    visit(reading, expr.result);
    return;
  }
  for (const child of childrenOf(expr)) visit(reading, child);
}

function isBinding(expr: ComprehensionExpr): boolean {
  return expr.iterRange.kind === 'list' && expr.iterRange.elements.length === 0;
}

function aliasKey(scope: number, name: string): string {
  return `${scope}:${name}`;
}

function stepText(step: ReadStep): string {
  if (step.kind === 'field') return `.${step.name}`;
  return `[${step.key.type === 'string' ? JSON.stringify(step.key.value) : `${step.key.value}${step.key.type === 'uint' ? 'u' : ''}`}]`;
}
