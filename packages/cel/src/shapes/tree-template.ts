import type { Range } from '@tollgate/diagnostics';
import { refusesSome } from '../checker/constants.ts';
import { childrenOf } from '../checker/map-children.ts';
import type { TypedAst } from '../checker/typed-ast.ts';
import type { Environment } from '../environment.ts';
import type { Expr } from '../syntax/ast.ts';
import { findMacro } from '../syntax/macro.ts';
import { type ExpressionShape, STRIDE } from './expression-shape.ts';

/**
 * A checked tree that trees of the same shape are made of. What the checker found holds for all of them, since types, overloads and
 * references hang on the kinds of literals; where it looks at their values, that is told here.
 */
export interface TreeTemplate {
  readonly typed: TypedAst;
  readonly shape: ExpressionShape;
  /** The text before, between and behind the literals. */
  readonly pieces: readonly string[];
  readonly environment: Environment;
  /** Every node of the tree and of the macro calls as they were written, once, children first. */
  readonly steps: readonly Step[];
  /** Positions in `steps`. */
  readonly root: number;
  readonly calls: readonly { readonly id: number; readonly step: number }[];
  /** Positions of calls that refuse some texts. */
  readonly refusing: readonly number[];
}

/** How one node is made. */
export interface Step {
  readonly node: Expr;
  /** The same in every tree of the shape: nothing of it stands behind a literal, nor is one. */
  readonly isFixed: boolean;
  /** Positions of the children in the steps, in the order of `childrenOf`. */
  readonly children: readonly number[];
  /** Which of the literals the node is; -1 when it is none. */
  readonly literal: number;
  readonly place: Place;
  /** Of the name of a call, or of the field. */
  readonly inner: Place;
}

/** A range, and how many literals end before its start, and before its end. */
export interface Place {
  readonly range: Range;
  readonly before: number;
  readonly within: number;
}

/**
 * Makes a template of a checked tree without findings; undefined when what was found of it may not hold for other literals.
 *
 * @param shape of the tree's own text
 */
export function createTemplate(
  typed: TypedAst,
  shape: ExpressionShape,
  environment: Environment,
): TreeTemplate | undefined {
  const steps: Step[] = [];
  const known = new Map<Expr, number>();
  const { ast, references } = typed;
  const root = addStep(ast.root, shape.literals, steps, known);
  const calls = [...ast.macroCalls].map(([id, call]) => ({ id, step: addStep(call, shape.literals, steps, known) }));
  const refusing: number[] = [];
  const found = new Set<number>();
  for (const [at, { node, literal }] of steps.entries()) {
    found.add(literal);
    if (node.kind !== 'call') continue;
    if (findMacro(environment.macros, node)?.readsLiterals) return undefined;
    if (refusesSome(references[node.id])) refusing.push(at);
  }
  for (let literal = 0; literal * STRIDE < shape.literals.length; literal += 1)
    if (!found.has(literal)) return undefined;
  const pieces = piecesOf(ast.source, shape.literals);
  return { typed, shape, pieces, environment, steps, root, calls, refusing };
}

function piecesOf(source: string, literals: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < literals.length; at += STRIDE) {
    pieces.push(source.slice(from, literals[at]));
    from = literals[at + 1]!;
  }
  return [...pieces, source.slice(from)];
}

function addStep(node: Expr, literals: readonly number[], steps: Step[], known: Map<Expr, number>): number {
  const at = known.get(node);
  if (at !== undefined) return at;
  const children = childrenOf(node).map(child => addStep(child, literals, steps, known));
  const literal = node.kind === 'literal' ? literalAt(node.range, literals) : -1;
  const place = placeOf(node.range, literals);
  const inner = placeOf(innerRange(node), literals);
  const isFixed = literal < 0 && place.within + inner.within === 0 && children.every(child => steps[child]!.isFixed);
  known.set(node, steps.length);
  return steps.push({ node, isFixed, children, literal, place, inner }) - 1;
}

function innerRange(node: Expr): Range {
  if (node.kind === 'call') return node.functionRange;
  return node.kind === 'select' ? node.fieldRange : node.range;
}

/** The one that ends with the node; a sign may stand before it. Literals that macros make have the range of a whole call. */
function literalAt({ start, end }: Range, literals: readonly number[]): number {
  for (let at = 0; at < literals.length; at += STRIDE) {
    if (literals[at + 1] === end && literals[at]! >= start) return at / STRIDE;
  }
  return -1;
}

/** @param literals as in {@link ExpressionShape} */
export function placeOf(range: Range, literals: readonly number[]): Place {
  return { range, before: countUntil(range.start, literals), within: countUntil(range.end, literals) };
}

function countUntil(offset: number, literals: readonly number[]): number {
  let count = 0;
  while (count * STRIDE < literals.length && literals[count * STRIDE + 1]! <= offset) count += 1;
  return count;
}
