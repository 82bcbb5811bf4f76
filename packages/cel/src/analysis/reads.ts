// What an expression reads: paths into its inputs, the fields of objects, and the conjuncts that read them.

import {
  type CallExpr,
  type ComprehensionExpr,
  childrenOf,
  type Expr,
  type Literal,
  localKey,
  type TypedAst,
} from '../ast/ast.ts';

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
  if (reference?.kind === 'local') return collector.aliases.get(localKey(reference.scope, reference.name));
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
    collector.aliases.set(localKey(expr.id, expr.accuVar), alias);
    visit(collector, expr.result);
    return;
  }
  for (const child of childrenOf(expr)) visit(collector, child);
}

function isBinding(expr: ComprehensionExpr): boolean {
  return expr.iterRange.kind === 'list' && expr.iterRange.elements.length === 0;
}

function stepText(step: ReadStep): string {
  if (step.kind === 'field') return `.${step.name}`;
  return `[${step.key.type === 'string' ? JSON.stringify(step.key.value) : `${step.key.value}${step.key.type === 'uint' ? 'u' : ''}`}]`;
}

/**
 * Returns the paths of the fields that an expression reads, such as `a.b.c`, in no order and without keys and indices. Unlike {@link
 * readsOf}, it may list a part as well as the whole that contains it; it is much faster on expressions without loops.
 */
export function fieldPathsOf(typed: TypedAst): ReadonlySet<string> {
  const found = new Set<string>();
  return collect(typed, typed.ast.root, found) ? found : new Set(readsOf(typed).map(fieldPathOf));
}

/** Returns false if local names or optional fields require the full analysis. */
function collect(typed: TypedAst, expr: Expr, found: Set<string>): boolean {
  if (expr.kind === 'comprehension' || (expr.kind === 'call' && expr.function === '_?._')) return false;
  const path = inputPathOf(typed, expr);
  if (path !== undefined) {
    found.add(path);
    return true;
  }
  // The target of `math.least(…)` is part of the function's name.
  const isNamespaced = expr.kind === 'call' && expr.target !== undefined && typed.types[expr.target.id] === undefined;
  const children = isNamespaced ? expr.args : childrenOf(expr);
  return children.every(child => collect(typed, child, found));
}

/** A selection of a field, or a presence test of one. */
export type Selection = Extract<Expr, { readonly kind: 'select' }>;

/** Decides how {@link inputPathOf} reads an expression. */
export interface PathOptions {
  /** Returns true if a selection continues a path. By default, selections from anything but maps do, presence tests included. */
  readonly isField?: (selection: Selection, typed: TypedAst) => boolean;
  /** Returns the expression that a local name stands for. */
  readonly resolve?: ((name: Expr) => Expr | undefined) | undefined;
}

/** Returns the path of the input that an expression is, such as `req.URL`; undefined for all other expressions. */
export function inputPathOf(typed: TypedAst, expr: Expr, options: PathOptions = DEFAULTS): string | undefined {
  const reference = typed.references[expr.id];
  if (reference?.kind === 'variable') return reference.name;
  if (expr.kind === 'ident') {
    const target = options.resolve?.(expr);
    return target && inputPathOf(typed, target, options);
  }
  if (expr.kind !== 'select' || !(options.isField ?? isFieldOutsideMaps)(expr, typed)) return undefined;
  const operand = inputPathOf(typed, expr.operand, options);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

const DEFAULTS: PathOptions = {};

function isFieldOutsideMaps({ operand }: Selection, { types }: TypedAst): boolean {
  const type = types[operand.id];
  return type?.kind !== 'map' && (type?.kind !== 'optional' || type.value.kind !== 'map');
}

/**
 * Returns the operands of the outermost `&&` chain, each as an expression that keeps the node ids of the whole; the expression itself if it
 * is not an `&&`. The value, errors and unknowns of the whole follow from theirs.
 */
export function conjunctsOf(typed: TypedAst): readonly TypedAst[] {
  return operandsOf(typed.ast.root).map(root => (root === typed.ast.root ? typed : typedPart(typed, root)));
}

function operandsOf(expr: Expr): readonly Expr[] {
  return expr.kind === 'call' && expr.function === '_&&_' ? expr.args.flatMap(operandsOf) : [expr];
}

function typedPart(typed: TypedAst, root: Expr): TypedAst {
  return { ...typed, ast: { ...typed.ast, root }, resultType: typed.types[root.id] ?? typed.resultType };
}

/** Returns true if an expression contains a loop, which spends steps of the budget. */
export function hasLoop({ ast }: TypedAst): boolean {
  return isLoopWithin(ast.root);
}

function isLoopWithin(expr: Expr): boolean {
  return expr.kind === 'comprehension' || childrenOf(expr).some(isLoopWithin);
}
