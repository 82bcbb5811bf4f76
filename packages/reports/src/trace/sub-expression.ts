// The values of an expression in the structure of its source.

import {
  EvaluationError,
  type Expr,
  formatType,
  type NodeTrace,
  type NonValue,
  type TypedAst,
  Unknown,
  type Value,
} from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import type { TracedExpression } from '@tollgate/simulator';

/** A subexpression as written, with its results. */
export interface SubExpression {
  /** In the source of the expression. */
  readonly range: Range;
  readonly text: string;
  /** Offset of its name or operator; values are drawn below it. */
  readonly anchor: number;
  /** The operator as the specification names it, the name of the function or macro, or the kind of node. */
  readonly operation: string;
  /** True for a macro that iterates over a list or map, its first child. */
  readonly isLoop: boolean;
  /** True if its value is evident from the source. */
  readonly isConstant: boolean;
  readonly type: string | undefined;
  /** Number of evaluations: 0 if it did not matter, more than 1 in a loop. */
  readonly count: number;
  /** Results of at most the first hundred evaluations. */
  readonly results: readonly (Value | NonValue)[];
  /** True if an error or unknown originates here. */
  readonly isOrigin: boolean;
  /** In source order. */
  readonly children: readonly SubExpression[];
}

/** Returns the trace in the structure of the source: a macro or a call of a function with a body is one node, whatever it expands to. */
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

/** Returns the children in the source. Nodes with the range of the whole implement a macro or function. */
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

/** Types, namespaces and the objects on the path to a variable are names, not values. */
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

/** An argument that a body uses several times is one child; an evaluated use takes precedence. */
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
  const isLiteralCollection = expr.kind === 'list' || expr.kind === 'map';
  return (isNegative || isLiteralCollection) && childrenOf(expr).every(isConstant);
}

/** Errors and unknowns propagate to the nodes above. They originate where no child has them. */
function isOrigin(result: Value | NonValue | undefined, children: readonly SubExpression[]): boolean {
  const below = children.flatMap(({ results }) => results);
  if (result instanceof EvaluationError) return !below.some(one => one instanceof EvaluationError);
  return result instanceof Unknown && !below.some(one => one instanceof Unknown);
}

/** Returns the same subexpression in a source that starts elsewhere. */
export function shiftedBy(part: SubExpression, distance: number): SubExpression {
  return {
    ...part,
    range: { start: part.range.start + distance, end: part.range.end + distance },
    anchor: part.anchor + distance,
    children: part.children.map(child => shiftedBy(child, distance)),
  };
}
