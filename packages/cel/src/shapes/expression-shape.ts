import { findQuote, isDigit, isNamePart, isNameStart } from '../syntax/text.ts';

/** An expression without its literals: those of one shape are one tree with other texts and numbers in it. */
export interface ExpressionShape {
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
export function shapeOf(source: string): ExpressionShape | undefined {
  const literals: number[] = [];
  let hash = 0;
  let at = 0;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    let end = at + 1;
    let kind: number = KINDS.none;
    if (isNameStart(code)) {
      while (isNamePart(source.charCodeAt(end))) end += 1;
      if (isQuote(source.charCodeAt(end))) kind = prefixedKind(source.slice(at, end).toLowerCase());
      if (kind !== KINDS.none) end = quotedEnd(source, end, (source.charCodeAt(end - 1) | SMALL) === SMALL_R);
    } else if (isQuote(code)) {
      kind = KINDS.string;
      end = quotedEnd(source, at, false);
    } else if (isDigit(code)) {
      end = digitsEnd(source, end);
      const isDouble = source.charCodeAt(end) === DOT;
      if (isDouble) end = digitsEnd(source, end + 1);
      kind = isDouble ? KINDS.double : KINDS.int;
      if (!isDigit(source.charCodeAt(end - 1)) || goesOn(source.charCodeAt(end))) return undefined;
    } else if (isOdd(code, source.charCodeAt(end))) return undefined;
    if (end < 0) return undefined;
    if (kind !== KINDS.none) {
      literals.push(at, end, kind);
      hash = mixed(hash, kind);
      at = end;
    } else for (; at < end; at += 1) hash = mixed(hash, source.charCodeAt(at));
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
