import { findQuote, isDigit, isNamePart, isNameStart } from '../syntax/text.ts';

/** An expression without its literals: those of one shape are one tree with other texts and numbers in it. */
export interface ExpressionShape {
  /** The text with a mark for the kind of each literal in its place, white space included. */
  readonly key: string;
  /** Start and end of each literal in the text, in order: twice as many numbers as literals. */
  readonly literals: readonly number[];
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const DOT = 0x2e;
const SLASH = 0x2f;
const BACKTICK = 0x60;

/** Characters that no shape has elsewhere. */
const MARKS = { string: '\u0001', bytes: '\u0002', int: '\u0003', double: '\u0004' } as const;

const PREFIXED: ReadonlyMap<string, string> = new Map([
  ['r', MARKS.string],
  ['b', MARKS.bytes],
  ['br', MARKS.bytes],
]);

/**
 * The shape of a text, read as the lexer reads it. Undefined for what is rare: comments, names in backticks, texts in three quotes, numbers
 * with an exponent, a suffix or in hexadecimal, and what has no end. Hot: each expression of every policy passes through here.
 */
export function shapeOf(source: string): ExpressionShape | undefined {
  const literals: number[] = [];
  let key = '';
  let from = 0;
  let at = 0;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    let end = at + 1;
    let mark: string | undefined;
    if (isNameStart(code)) {
      while (isNamePart(source.charCodeAt(end))) end += 1;
      if (isQuote(source.charCodeAt(end))) {
        mark = PREFIXED.get(source.slice(at, end).toLowerCase());
        if (mark !== undefined) end = quotedEnd(source, end, (source.charCodeAt(end - 1) | SMALL) === SMALL_R);
      }
    } else if (isQuote(code)) {
      mark = MARKS.string;
      end = quotedEnd(source, at, false);
    } else if (isDigit(code)) {
      end = digitsEnd(source, end);
      const isDouble = source.charCodeAt(end) === DOT;
      if (isDouble) end = digitsEnd(source, end + 1);
      mark = isDouble ? MARKS.double : MARKS.int;
      if (!isDigit(source.charCodeAt(end - 1)) || goesOn(source.charCodeAt(end))) return undefined;
    } else if (isOdd(code, source.charCodeAt(end))) return undefined;
    if (end < 0) return undefined;
    if (mark !== undefined) {
      key += source.slice(from, at) + mark;
      literals.push(at, end);
      from = end;
    }
    at = end;
  }
  return { key: key + source.slice(from), literals };
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
