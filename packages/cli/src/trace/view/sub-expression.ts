import {
  childrenOf,
  EvaluationError,
  type Expr,
  formatType,
  type NodeTrace,
  type NonValue,
  type TypedAst,
  Unknown,
  type Value,
} from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { TracedExpression } from '@tollgate/simulator';

/** A part of an expression as it was written, and what it gave. */
export interface SubExpression {
  /** In the source of the expression. */
  readonly range: Range;
  readonly text: string;
  /** Where its name or operator stands: values are drawn below it. */
  readonly anchor: number;
  /** The operator as the specification names it, the name of the function or macro, or the kind of node. */
  readonly operation: string;
  /** A macro that goes through a list or map, which is its first part. */
  readonly isLoop: boolean;
  /** Its value is what is written. */
  readonly isConstant: boolean;
  readonly type: string | undefined;
  /** How often it was evaluated: not at all where it no longer mattered, more than once in a loop. */
  readonly count: number;
  /** Of the evaluations, the first hundred at most. */
  readonly results: readonly (Value | NonValue)[];
  /** It is where an evaluation failed, or where the input is that is not known. */
  readonly isOrigin: boolean;
  /** In the order of the source. */
  readonly children: readonly SubExpression[];
}

/** Puts what was traced in the shape of what was written: calls of functions with a body and macros are one part, whatever they stand for. */
export function subExpressions(typed: TypedAst, traced: TracedExpression | undefined): SubExpression {
  const viewing: Viewing = { typed: traced?.typed ?? typed, nodes: traced?.nodes ?? new Map() };
  return view(viewing, viewing.typed.ast.root);
}

interface Viewing {
  readonly typed: TypedAst;
  readonly nodes: ReadonlyMap<number, NodeTrace>;
}

function view(viewing: Viewing, expr: Expr): SubExpression {
  const { typed, nodes } = viewing;
  const trace = nodes.get(expr.id);
  const children = merged(partsOf(viewing, expr));
  const results = trace?.values ?? [];
  const type = typed.types[expr.id];
  return {
    range: expr.range,
    text: typed.ast.source.slice(expr.range.start, expr.range.end),
    anchor: anchorOf(viewing, expr),
    operation: operationOf(viewing, expr),
    isLoop: expr.kind === 'comprehension' && typed.ast.macroCalls.has(expr.id),
    isConstant: isConstant(expr),
    type: type && formatType(type),
    count: trace?.count ?? 0,
    results,
    isOrigin: isOrigin(results.at(-1), children),
    children,
  };
}

/** What stands below a node in the source: nodes with the range of the whole are how a macro or a function does its work. */
function partsOf(viewing: Viewing, whole: Expr): readonly SubExpression[] {
  const parts: SubExpression[] = [];
  const visit = (expr: Expr) => {
    for (const child of operandsOf(viewing, expr)) {
      if (isSame(child.range, whole.range)) visit(child);
      else parts.push(view(viewing, child));
    }
  };
  visit(whole);
  return parts;
}

function isSame(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end;
}

/** Objects on the way to a variable, types and namespaces are names, not values. */
function operandsOf({ typed }: Viewing, expr: Expr): readonly Expr[] {
  const reference = typed.references[expr.id];
  if (reference?.kind === 'variable' || reference?.kind === 'type') return [];
  if (expr.kind === 'select' && isNamespace(typed, expr.operand)) return [];
  const isNamespaced = expr.kind === 'call' && expr.target && reference?.kind === 'function';
  return isNamespaced && !reference.overloads[0]?.member ? expr.args : childrenOf(expr);
}

function isNamespace(typed: TypedAst, expr: Expr): boolean {
  if (typed.types[expr.id]?.kind !== 'object') return false;
  if (expr.kind === 'select') return !expr.testOnly && isNamespace(typed, expr.operand);
  return expr.kind === 'ident' && typed.references[expr.id]?.kind === 'variable';
}

/** An argument that a body uses more than once is one part: what was evaluated of it counts. */
function merged(parts: readonly SubExpression[]): readonly SubExpression[] {
  const byRange = new Map<string, SubExpression>();
  for (const part of parts) {
    const key = `${part.range.start} ${part.range.end}`;
    const known = byRange.get(key);
    if (known === undefined || known.count === 0) byRange.set(key, part);
  }
  return [...byRange.values()].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

function anchorOf({ typed }: Viewing, expr: Expr): number {
  const written = typed.ast.macroCalls.get(expr.id);
  if (written) return written.functionRange.start;
  if (expr.kind === 'call' && isWithin(expr.functionRange, expr.range)) return expr.functionRange.start;
  if (expr.kind === 'select' && !expr.testOnly && !isNamespace(typed, expr.operand)) return expr.fieldRange.start;
  return expr.range.start;
}

function isWithin(part: Range, whole: Range): boolean {
  return part.start >= whole.start && part.end <= whole.end;
}

function operationOf({ typed }: Viewing, expr: Expr): string {
  const written = typed.ast.macroCalls.get(expr.id);
  if (written) return written.function;
  if (expr.kind === 'select' && expr.testOnly) return 'has';
  return expr.kind === 'call' ? expr.function : expr.kind;
}

function isConstant(expr: Expr): boolean {
  if (expr.kind === 'literal') return true;
  const isNegative = expr.kind === 'call' && expr.function === '-_';
  const isMade = expr.kind === 'list' || expr.kind === 'map';
  return (isNegative || isMade) && childrenOf(expr).every(isConstant);
}

/** Errors and unknowns go up through what uses them: where no part has the same, they began. */
function isOrigin(result: Value | NonValue | undefined, children: readonly SubExpression[]): boolean {
  const below = children.flatMap(({ results }) => results);
  if (result instanceof EvaluationError) return !below.some(one => one instanceof EvaluationError);
  return result instanceof Unknown && !below.some(one => one instanceof Unknown);
}

/** The same part in a text that begins elsewhere. */
export function shiftedBy(part: SubExpression, distance: number): SubExpression {
  return {
    ...part,
    range: { start: part.range.start + distance, end: part.range.end + distance },
    anchor: part.anchor + distance,
    children: part.children.map(child => shiftedBy(child, distance)),
  };
}
