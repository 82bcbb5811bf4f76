import { lineStart } from '@tollgate/diagnostics';

/** A map entry or list item around a position, outermost first. */
type Level =
  | { readonly kind: 'key'; readonly key: string; readonly column: number; readonly line: Line }
  | { readonly kind: 'item'; readonly column: number; readonly line: Line };

/** A limit that parents of a position must be left of. */
interface Limit {
  readonly column: number;
  /** A list may begin in the column of its key. */
  readonly isDash: boolean;
}

/** Returns what surrounds a position in a block document, by indentation alone, so also in documents with errors. */
export function levelsAround(text: string, line: Line, column: number): readonly Level[] {
  const levels: Level[] = [];
  let limit = addItems(levels, line, { column, isDash: false });
  for (let at = previous(text, line, limit); at; at = previous(text, at, limit)) {
    const { key } = at;
    if (key && isLeft(key.column, limit) && opensBlock(text, at)) {
      levels.unshift({ kind: 'key', key: key.text, column: key.column, line: at });
      limit = { column: key.column, isDash: false };
    }
    limit = addItems(levels, at, limit);
    if (limit.column === 0 && !limit.isDash) break;
  }
  return levels;
}

/** Adds the list items that begin on a line left of the limit. */
function addItems(levels: Level[], line: Line, before: Limit): Limit {
  let limit = before;
  for (const column of line.dashes.toReversed()) {
    if (column >= limit.column) continue;
    levels.unshift({ kind: 'item', column, line });
    limit = { column, isDash: true };
  }
  return limit;
}

/** Returns the nearest earlier line that can hold a parent: lines indented further are skipped without reading them. */
function previous(text: string, line: Line, { column, isDash }: Limit): Line | undefined {
  let { start } = line;
  while (start > 0) {
    start = lineStart(text, start - 1);
    const indent = indentOf(text, start);
    // An item in this column is beside the position, not around it; a list may be in the column of its key.
    if (indent > column || (indent === column && (!isDash || isItem(text, start + indent)))) continue;
    const found = lineAt(text, start);
    if (!found.isBlank) return found;
  }
  return undefined;
}

function isItem(text: string, offset: number): boolean {
  return text[offset] === '-' && ' \r\n'.includes(text[offset + 1] ?? '\n');
}

function isLeft(column: number, limit: Limit): boolean {
  return column < limit.column || (limit.isDash && column === limit.column);
}

/** Returns true if nothing but a comment, an anchor or a tag follows the key. */
function opensBlock(text: string, { rest, end }: Line): boolean {
  return /^(?:[&!]\S*(?:\s+|$))*(?:#.*)?$/.test(text.slice(rest, end));
}

/** Returns the entries of the map whose keys are in this column, around a line: each key with what follows it on its line. */
export function siblingsOf(text: string, line: Line, column: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (one: Line) => {
    if (one.key?.column === column) found.set(one.key.text, text.slice(one.rest, one.end));
  };
  add(line);
  const beginsHere = line.dashes.some(dash => dash < column) && line.column === column;
  for (let { start } = line; !beginsHere && start > 0; ) {
    start = lineStart(text, start - 1);
    if (indentOf(text, start) > column) continue;
    const above = lineAt(text, start);
    if (above.isBlank) continue;
    const outer = above.dashes[0] ?? above.column;
    if (above.column === column) add(above);
    if (outer < column) break;
  }
  for (let end = text.indexOf('\n', line.end); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (indentOf(text, end + 1) > column) continue;
    const below = lineAt(text, end + 1);
    if (below.isBlank) continue;
    if ((below.dashes[0] ?? below.column) < column || below.dashes.includes(column)) break;
    add(below);
  }
  return found;
}

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
    start,
    end,
    dashes,
    column,
    isBlank,
    key: { text: key, column, start: keyStart, end: keyStart + key.length },
    rest: skipSpaces(text, at + whole.length, end),
  };
}

/** Returns the line before; undefined at the start of the text. */
export function lineBefore(text: string, { start }: Pick<Line, 'start'>): Line | undefined {
  return start === 0 ? undefined : lineAt(text, start - 1);
}

/** Returns the number of spaces at the start of the line that begins at an offset. */
function indentOf(text: string, start: number): number {
  return skipSpaces(text, start, text.length) - start;
}

function skipSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === 0x20) at += 1;
  return at;
}
