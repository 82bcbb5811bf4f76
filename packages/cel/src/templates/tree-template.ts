import type { Range } from '@tollgate/diagnostics';
import type { Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { constantCheckOf } from '../checker/constants/constants.ts';
import type { Environment } from '../environment/environment.ts';
import { findMacro } from '../syntax/macros/macro.ts';
import { type ExpressionSkeleton, STRIDE } from './expression-skeleton.ts';

/**
 * A checked tree from which trees with the same skeleton are created. The checker's results hold for all of them, because types, overloads
 * and references depend only on the kinds of literals; `verified` lists the calls where it inspects values.
 */
export interface TreeTemplate {
  readonly typed: TypedAst;
  readonly skeleton: ExpressionSkeleton;
  /** The source before, between and after the literals. */
  readonly pieces: readonly string[];
  readonly environment: Environment;
  /** The nodes of the tree and of the original macro calls, children first; undefined for nodes that depend on literals. */
  readonly fixed: readonly (Expr | undefined)[];
  /** How to create the other nodes, in order. */
  readonly steps: readonly Step[];
  readonly anchoredRanges: readonly AnchoredRange[];
  /** Index of the root. */
  readonly root: number;
  readonly calls: readonly { readonly id: number; readonly at: number }[];
  /** Indices of calls whose literals the checker verifies. */
  readonly verified: readonly number[];
}

/** How to create one node. */
export interface Step {
  /** Index of the node. */
  readonly at: number;
  readonly node: Expr;
  /** Indices of the children, in the order of `childrenOf`. */
  readonly children: readonly number[];
  /** Index of the literal that the node is; -1 if it is not one. */
  readonly literal: number;
  /** Index of its range in the locations. */
  readonly rangeIndex: number;
  /** Indices of further ranges: the name of a call or a field, and entries. */
  readonly parts: readonly number[];
}

/** A range with the number of literals that end before its start and before its end. */
interface AnchoredRange {
  readonly range: Range;
  readonly before: number;
  readonly within: number;
}

/**
 * Creates a template from a checked tree without diagnostics; undefined if its types may not hold for other literals.
 *
 * @param skeleton the skeleton of the tree's source
 */
export function createTemplate(
  typed: TypedAst,
  skeleton: ExpressionSkeleton,
  environment: Environment,
): TreeTemplate | undefined {
  const { ast, references } = typed;
  const making = new TemplateBuilder(skeleton.literals);
  const root = making.add(ast.root);
  const calls = [...ast.macroCalls].map(([id, call]) => ({ id, at: making.add(call) }));
  const verified: number[] = [];
  for (const [node, at] of making.positions) {
    if (node.kind !== 'call') continue;
    if (findMacro(environment.macros, node)?.readsLiterals) return undefined;
    if (constantCheckOf(references[node.id], environment) !== undefined) verified.push(at);
  }
  if (making.literals.size * STRIDE < skeleton.literals.length) return undefined;
  const { fixed, steps, anchoredRanges } = making;
  const pieces = piecesOf(ast.source, skeleton.literals);
  return { typed, skeleton, pieces, environment, fixed, steps, anchoredRanges, root, calls, verified };
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

class TemplateBuilder {
  readonly positions = new Map<Expr, number>();
  readonly fixed: (Expr | undefined)[] = [];
  readonly steps: Step[] = [];
  readonly anchoredRanges: AnchoredRange[] = [];
  /** Indices of the literals found so far. */
  readonly literals = new Set<number>();
  readonly #literals: readonly number[];
  readonly #rangeIndexAt = new Map<string, number>();

  constructor(literals: readonly number[]) {
    this.#literals = literals;
  }

  /** Returns the index of the node. */
  add(node: Expr): number {
    const known = this.positions.get(node);
    if (known !== undefined) return known;
    const children = childrenOf(node).map(child => this.add(child));
    const literal = node.kind === 'literal' ? literalAt(node.range, this.#literals) : -1;
    const rangeIndex = this.#rangeIndex(node.range);
    const parts = partRanges(node).map(range => this.#rangeIndex(range));
    const isFixed =
      literal < 0 &&
      [rangeIndex, ...parts].every(one => this.anchoredRanges[one]!.within === 0) &&
      children.every(child => this.fixed[child] !== undefined);
    const at = this.fixed.push(isFixed ? node : undefined) - 1;
    this.positions.set(node, at);
    if (literal >= 0) this.literals.add(literal);
    if (!isFixed) this.steps.push({ at, node, children, literal, rangeIndex, parts });
    return at;
  }

  #rangeIndex(range: Range): number {
    const { start, end } = range;
    const key = `${start} ${end}`;
    const known = this.#rangeIndexAt.get(key);
    if (known !== undefined) return known;
    const at = this.anchoredRanges.length;
    this.anchoredRanges.push({
      range,
      before: countUntil(start, this.#literals),
      within: countUntil(end, this.#literals),
    });
    this.#rangeIndexAt.set(key, at);
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

/** Returns the literal that ends with the node, which may have a sign. Literals that macros create have the range of the whole call. */
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
