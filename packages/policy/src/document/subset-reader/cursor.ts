import type { Range } from '@tollgate/diagnostics';

/** The state of reading a document. */
export interface Cursor {
  readonly text: string;
  /** Offset after the last character to read. */
  readonly end: number;
  at: number;
  lineStart: number;
  /** Number of lists and maps that may still be nested. */
  depthLeft: number;
  /** Number of values that may still be created. */
  nodesLeft: number;
  /** Each from `#` to the end of its line. */
  readonly comments: Range[];
}

/** UTF-16 units with a meaning in YAML. */
export const CHAR = {
  lineBreak: 0x0a,
  /** Always followed by a line break. */
  carriageReturn: 0x0d,
  space: 0x20,
  bang: 0x21,
  doubleQuote: 0x22,
  hash: 0x23,
  percent: 0x25,
  ampersand: 0x26,
  singleQuote: 0x27,
  asterisk: 0x2a,
  comma: 0x2c,
  dash: 0x2d,
  colon: 0x3a,
  greater: 0x3e,
  question: 0x3f,
  at: 0x40,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  backtick: 0x60,
  openMap: 0x7b,
  bar: 0x7c,
  closeMap: 0x7d,
} as const;

/** The zero-based column of the cursor. */
export function columnOf(cursor: Cursor): number {
  return cursor.at - cursor.lineStart;
}

/** Returns true if there is white space or the end at `at`, which makes a preceding `-` or `:` an indicator. */
export function isBlankAt({ text, end }: Cursor, at: number): boolean {
  if (at >= end) return true;
  const code = text.charCodeAt(at);
  return code === CHAR.space || isBreak(code);
}

/** Returns true for the characters of a line break: LF, or CR LF. */
export function isBreak(code: number): boolean {
  return code === CHAR.lineBreak || code === CHAR.carriageReturn;
}

/** Returns true if an item of a block list begins here. */
export function isListItem(cursor: Cursor): boolean {
  return cursor.text.charCodeAt(cursor.at) === CHAR.dash && isBlankAt(cursor, cursor.at + 1);
}

export function skipSpaces(cursor: Cursor): void {
  const { text, end } = cursor;
  while (cursor.at < end && text.charCodeAt(cursor.at) === CHAR.space) cursor.at += 1;
}

/** Consumes spaces and a comment up to the end of the line; returns false if there is anything else. */
export function finishLine(cursor: Cursor): boolean {
  const start = cursor.at;
  skipSpaces(cursor);
  if (cursor.at >= cursor.end) return true;
  const code = cursor.text.charCodeAt(cursor.at);
  if (isBreak(code)) return true;
  if (code !== CHAR.hash || (cursor.at === start && columnOf(cursor) !== 0)) return false;
  skipComment(cursor);
  return true;
}

/** From the start or end of a line, skips white space and comments; returns false at the end of the document. */
export function skipToContent(cursor: Cursor): boolean {
  const { text, end } = cursor;
  while (cursor.at < end) {
    const code = text.charCodeAt(cursor.at);
    if (code === CHAR.lineBreak) cursor.lineStart = cursor.at + 1;
    else if (code === CHAR.hash) skipComment(cursor);
    else if (code !== CHAR.space && code !== CHAR.carriageReturn) return true;
    if (code !== CHAR.hash) cursor.at += 1;
  }
  return false;
}

function skipComment(cursor: Cursor): void {
  const lineEnd = cursor.text.indexOf('\n', cursor.at);
  const last = lineEnd < 0 || lineEnd > cursor.end ? cursor.end : lineEnd;
  const end = cursor.text.charCodeAt(last - 1) === CHAR.carriageReturn ? last - 1 : last;
  cursor.comments.push({ start: cursor.at, end });
  cursor.at = end;
}
