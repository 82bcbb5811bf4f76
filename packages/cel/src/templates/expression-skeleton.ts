import { findQuote, isDigit, isNamePart, isNameStart } from '../syntax/lexing/text.ts';

/** An expression without its literals: those of one shape are one tree with other texts and numbers in it. */
export interface ExpressionSkeleton {
  /** Of the text with a mark for the kind of each literal in its place, white space included. The same for all of one shape, and seldom for two. */
  readonly hash: number;
  /** Start, end and kind of each literal in the text, in order: three numbers each. */
  readonly literals: readonly number[];
}

/** How many numbers tell of one literal. */
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

/** Kinds of literals, as codes of characters that no text of a shape has. */
const KINDS = { none: 0, string: 1, bytes: 2, int: 3, double: 4 } as const;

/**
 * The shape of a text, read as the lexer reads it. Undefined for what is rare: comments, names in backticks, texts in three quotes, numbers
 * with an exponent, a suffix or in hexadecimal, and what has no end. Hot: each expression of every policy passes through here.
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
        hash = mixed(hash, code);
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
      if (goesOn(source.charCodeAt(at))) return undefined;
    } else {
      at += 1;
      if (isOdd(code, source.charCodeAt(at))) return undefined;
      hash = mixed(hash, code);
      continue;
    }
    if (at < 0) return undefined;
    literals.push(start, at, kind);
    hash = mixed(before, kind);
  }
  return { hash, literals };
}

/** FNV-1a, by characters. */
function mixed(hash: number, code: number): number {
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

/** Behind the quote that closes the one at `at`; negative when there is none, or three open the text. */
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

/** Negative when there are no digits. */
function fractionEnd(source: string, from: number): number {
  const end = digitsEnd(source, from);
  return end === from ? -1 : end;
}

/** Whether the character behind a number may make it another one. */
function goesOn(code: number): boolean {
  return isNamePart(code) || code === DOT;
}

/** A comment, a name in backticks, a number that begins with its point, or what is no part of any text without errors. */
function isOdd(code: number, next: number): boolean {
  if (code === SLASH) return next === SLASH;
  if (code === DOT) return isDigit(next);
  return code === BACKTICK || (code < SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB);
}
