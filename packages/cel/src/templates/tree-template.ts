// Expressions that differ only in literals share one checked tree: their shape, and what may vary in it.

import type { Range } from '@tollgate/diagnostics';
import { childrenOf, type Expr, type TypedAst } from '../ast/ast.ts';
import { constantCheckOf } from '../checker/constants.ts';
import type { Environment } from '../checker/environment.ts';
import { findQuote, isDigit, isNamePart, isNameStart } from '../syntax/characters.ts';
import { findMacro } from '../syntax/macros.ts';

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

/** An expression without its literals. Expressions with the same skeleton have the same tree, except for strings and numbers. */
export interface ExpressionSkeleton {
  /**
   * A hash of the source with each literal replaced by a mark for its kind, white space included. Equal for equal skeletons, and rarely for
   * different ones.
   */
  readonly hash: number;
  /** Start, end and kind of each literal in order: three numbers each. */
  readonly literals: readonly number[];
}

/** The number of entries per literal. */
export const STRIDE = 3;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const DOT = 0x2e;
const SLASH = 0x2f;
const BACKTICK = 0x60;

/** Kinds of literals, as character codes that do not occur in a skeleton. */
const KINDS = { none: 0, string: 1, bytes: 2, int: 3, double: 4 } as const;

/**
 * Returns the skeleton of an expression, using the rules of the lexer. Returns undefined for rare syntax: comments, names in backticks,
 * triple-quoted strings, numbers that are hexadecimal or have an exponent or suffix, and unterminated literals. Hot: runs for each
 * expression of every policy.
 */
export function skeletonOf(source: string): ExpressionSkeleton | undefined {
  const literals: number[] = [];
  let hash = 0;
  let at = 0;
  while (at < source.length) {
    const start = at;
    const before = hash;
    let code = source.charCodeAt(at);
    let kind: number = KINDS.none;
    if (isNameStart(code)) {
      do {
        hash = fnv1a(hash, code);
        at += 1;
        code = source.charCodeAt(at);
      } while (isNamePart(code));
      if (!isQuote(code)) continue;
      kind = prefixedKind(source.slice(start, at).toLowerCase());
      if (kind === KINDS.none) continue;
      at = quotedEnd(source, at, (source.charCodeAt(at - 1) | SMALL) === SMALL_R);
    } else if (isQuote(code)) {
      kind = KINDS.string;
      at = quotedEnd(source, at, false);
    } else if (isDigit(code)) {
      at = digitsEnd(source, at);
      kind = source.charCodeAt(at) === DOT ? KINDS.double : KINDS.int;
      if (kind === KINDS.double) at = fractionEnd(source, at + 1);
      if (continuesNumber(source.charCodeAt(at))) return undefined;
    } else {
      at += 1;
      if (isUnsupported(code, source.charCodeAt(at))) return undefined;
      hash = fnv1a(hash, code);
      continue;
    }
    if (at < 0) return undefined;
    literals.push(start, at, kind);
    hash = fnv1a(before, kind);
  }
  return { hash, literals };
}

/** FNV-1a over characters. */
function fnv1a(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

function prefixedKind(prefix: string): number {
  if (prefix === 'r') return KINDS.string;
  return prefix === 'b' || prefix === 'br' ? KINDS.bytes : KINDS.none;
}

const SMALL = 0x20;
const SMALL_R = 0x72;

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

/** Returns the offset after the quote that closes the one at `at`; negative if there is none or the string is triple-quoted. */
function quotedEnd(source: string, at: number, isRaw: boolean): number {
  const quote = source.charCodeAt(at);
  if (source.charCodeAt(at + 1) === quote && source.charCodeAt(at + 2) === quote) return -1;
  const closing = findQuote(source, at + 1, quote, isRaw);
  return closing < 0 ? -1 : closing + 1;
}

function digitsEnd(source: string, from: number): number {
  let end = from;
  while (isDigit(source.charCodeAt(end))) end += 1;
  return end;
}

/** Returns a negative number if there are no digits. */
function fractionEnd(source: string, from: number): number {
  const end = digitsEnd(source, from);
  return end === from ? -1 : end;
}

/** Returns true if the character after a number may continue it. */
function continuesNumber(code: number): boolean {
  return isNamePart(code) || code === DOT;
}

/** Returns true at a comment, a name in backticks, a number that starts with its point, or an invalid character. */
function isUnsupported(code: number, next: number): boolean {
  if (code === SLASH) return next === SLASH;
  if (code === DOT) return isDigit(next);
  return code === BACKTICK || (code < SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB);
}
