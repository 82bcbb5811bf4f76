import type { Range } from '@tollgate/diagnostics';
import type { Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { constantCheckOf } from '../checker/constants/constants.ts';
import type { Environment } from '../environment/environment.ts';
import { findMacro } from '../syntax/macros/macro.ts';
import { type ExpressionSkeleton, STRIDE } from './expression-skeleton.ts';

/**
 * A checked tree that trees of the same shape are made of. What the checker found holds for all of them, since types, overloads and
 * references hang on the kinds of literals; where it looks at their values, that is told here.
 */
export interface TreeTemplate {
  readonly typed: TypedAst;
  readonly shape: ExpressionSkeleton;
  /** The text before, between and behind the literals. */
  readonly pieces: readonly string[];
  readonly environment: Environment;
  /** Of every node of the tree and of the macro calls as they were written, children first: the node, where it is the same in all trees. */
  readonly fixed: readonly (Expr | undefined)[];
  /** How the others are made, in their order. */
  readonly steps: readonly Step[];
  readonly places: readonly Place[];
  /** Position of the root among the nodes. */
  readonly root: number;
  readonly calls: readonly { readonly id: number; readonly at: number }[];
  /** Positions of calls that refuse some texts. */
  readonly refusing: readonly number[];
}

/** How one node is made. */
export interface Step {
  /** Position among the nodes. */
  readonly at: number;
  readonly node: Expr;
  /** Positions of the children, in the order of `childrenOf`. */
  readonly children: readonly number[];
  /** Which of the literals the node is; -1 when it is none. */
  readonly literal: number;
  /** Position of its range in `places`. */
  readonly place: number;
  /** The same of the name of a call, of a field, and of entries. */
  readonly parts: readonly number[];
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
  shape: ExpressionSkeleton,
  environment: Environment,
): TreeTemplate | undefined {
  const { ast, references } = typed;
  const making = new TemplateMaking(shape.literals);
  const root = making.add(ast.root);
  const calls = [...ast.macroCalls].map(([id, call]) => ({ id, at: making.add(call) }));
  const refusing: number[] = [];
  for (const [node, at] of making.positions) {
    if (node.kind !== 'call') continue;
    if (findMacro(environment.macros, node)?.readsLiterals) return undefined;
    if (constantCheckOf(references[node.id], environment) !== undefined) refusing.push(at);
  }
  if (making.literals.size * STRIDE < shape.literals.length) return undefined;
  const { fixed, steps, places } = making;
  const pieces = piecesOf(ast.source, shape.literals);
  return { typed, shape, pieces, environment, fixed, steps, places, root, calls, refusing };
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

class TemplateMaking {
  readonly positions = new Map<Expr, number>();
  readonly fixed: (Expr | undefined)[] = [];
  readonly steps: Step[] = [];
  readonly places: Place[] = [];
  /** Which literals have been found. */
  readonly literals = new Set<number>();
  readonly #inText: readonly number[];
  readonly #placeAt = new Map<string, number>();

  constructor(inText: readonly number[]) {
    this.#inText = inText;
  }

  /** Gives the position of the node. */
  add(node: Expr): number {
    const known = this.positions.get(node);
    if (known !== undefined) return known;
    const children = childrenOf(node).map(child => this.add(child));
    const literal = node.kind === 'literal' ? literalAt(node.range, this.#inText) : -1;
    const place = this.#place(node.range);
    const parts = partRanges(node).map(range => this.#place(range));
    const isFixed =
      literal < 0 &&
      [place, ...parts].every(one => this.places[one]!.within === 0) &&
      children.every(child => this.fixed[child] !== undefined);
    const at = this.fixed.push(isFixed ? node : undefined) - 1;
    this.positions.set(node, at);
    if (literal >= 0) this.literals.add(literal);
    if (!isFixed) this.steps.push({ at, node, children, literal, place, parts });
    return at;
  }

  #place(range: Range): number {
    const { start, end } = range;
    const key = `${start} ${end}`;
    const known = this.#placeAt.get(key);
    if (known !== undefined) return known;
    const at = this.places.length;
    this.places.push({ range, before: countUntil(start, this.#inText), within: countUntil(end, this.#inText) });
    this.#placeAt.set(key, at);
    return at;
  }
}

function partRanges(node: Expr): readonly Range[] {
  switch (node.kind) {
    case 'call':
      return [node.functionRange];
    case 'select':
      return [node.fieldRange];
    case 'map':
      return node.entries.map(({ range }) => range);
    case 'struct':
      return node.fields.map(({ range }) => range);
    default:
      return [];
  }
}

/** The one that ends with the node; a sign may stand before it. Literals that macros make have the range of a whole call. */
function literalAt({ start, end }: Range, literals: readonly number[]): number {
  for (let at = 0; at < literals.length; at += STRIDE) {
    if (literals[at + 1] === end && literals[at]! >= start) return at / STRIDE;
  }
  return -1;
}

function countUntil(offset: number, literals: readonly number[]): number {
  let count = 0;
  while (count * STRIDE < literals.length && literals[count * STRIDE + 1]! <= offset) count += 1;
  return count;
}
