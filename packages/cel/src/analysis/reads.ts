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
  const collector: ReadCollector = { typed, aliases: new Map(), reads: new Map() };
  visit(collector, typed.ast.root);
  const reads = [...collector.reads.values()];
  return reads.filter(read => !isWithinAnother(read, collector.reads)).toSorted(byText);
}

/** Returns the path of the fields that are read, such as `a.b.c`, without keys and indices. */
export function fieldPathOf({ variable, steps }: Read): string {
  const end = steps.findIndex(step => step.kind !== 'field');
  const fields = (end < 0 ? steps : steps.slice(0, end)).flatMap(step => (step.kind === 'field' ? [step.name] : []));
  return [variable, ...fields].join('.');
}

interface ReadCollector {
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

function visit(collector: ReadCollector, expr: Expr): void {
  const read = readAt(collector, expr);
  if (read !== undefined) {
    collector.reads.set(read.text, read);
    visitIndices(collector, expr);
  } else if (expr.kind === 'comprehension') {
    visitComprehension(collector, expr);
  } else if (
    expr.kind === 'call' &&
    collector.typed.references[expr.id] !== undefined &&
    isNamespaced(collector, expr)
  ) {
    for (const arg of expr.args) visit(collector, arg);
  } else {
    for (const child of childrenOf(expr)) visit(collector, child);
  }
}

/** The target of `math.least(…)` is part of the function's name. */
function isNamespaced({ typed }: ReadCollector, call: CallExpr): boolean {
  return call.target !== undefined && typed.types[call.target.id] === undefined;
}

/** Returns the part of an input that a node reads or tests for presence; undefined for all other nodes. */
function readAt(collector: ReadCollector, expr: Expr): Read | undefined {
  const reference = collector.typed.references[expr.id];
  if (reference?.kind === 'variable') return { variable: reference.name, steps: [], text: reference.name };
  if (reference?.kind === 'local') return collector.aliases.get(aliasKey(reference.scope, reference.name));
  if (expr.kind === 'select') return partOf(collector, expr.operand, { type: 'string', value: expr.field }, true);
  return expr.kind === 'call' ? readAtCall(collector, expr) : undefined;
}

function readAtCall(collector: ReadCollector, { function: name, args }: CallExpr): Read | undefined {
  const [first, second] = args;
  if (first === undefined || second === undefined) return undefined;
  switch (name) {
    case '_?._':
      return second.kind === 'literal' ? partOf(collector, first, second.literal, true) : undefined;
    case '_[_]':
    case '_[?_]':
      return indexed(collector, first, second);
    case '@in':
      return first.kind === 'literal' && isMap(collector, second)
        ? partOf(collector, second, first.literal, false)
        : undefined;
    default:
      return undefined;
  }
}

function indexed(collector: ReadCollector, container: Expr, index: Expr): Read | undefined {
  if (index.kind === 'literal' && isKeyed(collector, container, index.literal))
    return partOf(collector, container, index.literal, false);
  return readAt(collector, container);
}

function partOf(collector: ReadCollector, whole: Expr, key: Literal, isField: boolean): Read | undefined {
  const read = readAt(collector, whole);
  if (read === undefined || isElement(collector, whole)) return read;
  const field = isField && key.type === 'string' && !isMap(collector, whole);
  const step: ReadStep = field ? { kind: 'field', name: String(key.value) } : { kind: 'key', key };
  return { ...read, steps: [...read.steps, step], text: read.text + stepText(step) };
}

function isMap({ typed }: ReadCollector, expr: Expr): boolean {
  const type = typed.types[expr.id];
  return type?.kind === 'map' || (type?.kind === 'optional' && type.value.kind === 'map');
}

/** Returns true if indexing looks up a key rather than an element of a list. */
function isKeyed(collector: ReadCollector, container: Expr, key: Literal): boolean {
  return isMap(collector, container) || (key.type === 'string' && collector.typed.types[container.id]?.kind === 'dyn');
}

/** Returns true for `x[i]` of a list. It counts as a read of the list, so further steps do not extend the path. */
function isElement(collector: ReadCollector, expr: Expr): boolean {
  if (expr.kind === 'select') return isElement(collector, expr.operand);
  if (expr.kind !== 'call') return false;
  const [container, index] = expr.args;
  if (container === undefined || index === undefined) return false;
  if (expr.function === '_?._') return isElement(collector, container);
  if (index.kind !== 'literal' || !isKeyed(collector, container, index.literal)) return true;
  return isElement(collector, container);
}

/** An index that is not constant reads inputs itself. */
function visitIndices(collector: ReadCollector, expr: Expr): void {
  if (expr.kind === 'select') visitIndices(collector, expr.operand);
  if (expr.kind !== 'call' || expr.args.length !== 2) return;
  const [container, index] = expr.function === '@in' ? [expr.args[1]!, expr.args[0]!] : [expr.args[0]!, expr.args[1]!];
  visitIndices(collector, container);
  if (index.kind !== 'literal') visit(collector, index);
}

/** `cel.bind` names a part of an input without reading it; a loop reads its whole range. */
function visitComprehension(collector: ReadCollector, expr: ComprehensionExpr): void {
  const alias = isBinding(expr) ? readAt(collector, expr.accuInit) : undefined;
  if (alias !== undefined && !isElement(collector, expr.accuInit)) {
    visitIndices(collector, expr.accuInit);
    collector.aliases.set(aliasKey(expr.id, expr.accuVar), alias);
    visit(collector, expr.result);
    return;
  }
  for (const child of childrenOf(expr)) visit(collector, child);
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
