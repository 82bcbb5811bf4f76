import { findQuote, isDigit, isNamePart, isNameStart } from '../syntax/lexing/text.ts';

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
