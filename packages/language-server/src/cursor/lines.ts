import { lineStart } from '@tollgate/diagnostics';
/** A line of a block document, divided at its indicators. */
export interface Line {
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
  /** Columns of the dashes at its start. */
  readonly dashes: readonly number[];
  /** The key before the first colon; undefined if there is none. */
  readonly key:
    | { readonly text: string; readonly column: number; readonly start: number; readonly end: number }
    | undefined;
  /** Offset of what follows the dashes and the key. */
  readonly rest: number;
  /** Column of the first character after the dashes. */
  readonly column: number;
  /** True for an empty line or a comment. */
  readonly isBlank: boolean;
}

const KEY =
  /(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s"'[\]{},#&*!|>%@`?-][^#\n]*?|-[^\s#\n][^#\n]*?))[ ]*:(?=[ \r\n]|$)/y;

/** Reads the line that contains an offset. */
export function lineAt(text: string, offset: number): Line {
  const start = lineStart(text, offset);
  const lineBreak = text.indexOf('\n', offset);
  const raw = lineBreak < 0 ? text.length : lineBreak;
  const end = raw > start && text[raw - 1] === '\r' ? raw - 1 : raw;
  const dashes: number[] = [];
  let at = skipSpaces(text, start, end);
  while (text[at] === '-' && (at + 1 >= end || text[at + 1] === ' ')) {
    dashes.push(at - start);
    at = skipSpaces(text, at + 1, end);
  }
  const column = at - start;
  const isBlank = dashes.length === 0 && (at >= end || text[at] === '#');
  KEY.lastIndex = at;
  const found = isBlank ? null : KEY.exec(text);
  if (!found || at + found[0].length > end) return { start, end, dashes, key: undefined, rest: at, column, isBlank };
  const [whole, double, single, plain] = found;
  const quote = plain === undefined ? 1 : 0;
  const key = double ?? single ?? plain!;
  const keyStart = at + quote;
  return {
    ...{ start, end, dashes, column, isBlank },
    key: { text: key, column, start: keyStart, end: keyStart + key.length },
    rest: skipSpaces(text, at + whole.length, end),
  };
}

/** Returns the line before; undefined at the start of the text. */
export function lineBefore(text: string, { start }: Pick<Line, 'start'>): Line | undefined {
  return start === 0 ? undefined : lineAt(text, start - 1);
}

/** Returns the number of spaces at the start of the line that begins at an offset. */
export function indentOf(text: string, start: number): number {
  return skipSpaces(text, start, text.length) - start;
}

function skipSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === 0x20) at += 1;
  return at;
}
