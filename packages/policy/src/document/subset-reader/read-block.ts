import type { DocumentNode, ListNode, MapNode } from '../model/document-node.ts';
import {
  CHAR,
  type Cursor,
  columnOf,
  finishLine,
  isBlankAt,
  isBreak,
  isListItem,
  skipSpaces,
  skipToContent,
} from './cursor.ts';
import { addEntry, type Entries, type Key, keyOf } from './map-entries.ts';
import { beginsPlain, plainLineEnd } from './plain-scalar.ts';
import { readFlow } from './read-flow.ts';
import { nothingAt, readBlockPlain, readBlockScalar, readPlainLines, readQuoted } from './read-scalar.ts';

/**
 * Reads the node at the cursor, inside a parent indented by `parentIndent`. Hot: a scalar is read once, whether it
 * turns out to be a key or a value.
 */
export function readBlockNode(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
  if (isListItem(cursor)) return readBlockList(cursor);
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === CHAR.doubleQuote || code === CHAR.singleQuote) return readFromQuoted(cursor, parentIndent);
  return beginsPlain(cursor) ? readFromPlain(cursor, parentIndent) : readLeaf(cursor, parentIndent);
}

function readFromQuoted(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
  const { lineStart } = cursor;
  const node = readQuoted(cursor, parentIndent);
  if (!node) return undefined;
  if (cursor.lineStart !== lineStart || !skipColon(cursor, cursor.at)) return finishLine(cursor) ? node : undefined;
  // Keys do not count as values.
  cursor.nodesLeft += 1;
  return readBlockMap(cursor, keyOf(cursor, node)!);
}

function readFromPlain(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
  const start = cursor.at;
  const end = plainLineEnd(cursor, start, false);
  if (end > start && skipColon(cursor, end)) return readBlockMap(cursor, plainKey(cursor, start, end));
  const node = readPlainLines(cursor, end, parentIndent);
  return node && finishLine(cursor) ? node : undefined;
}

/** Moves past the colon that ends a key at `end`; returns false without moving if there is none. */
function skipColon(cursor: Cursor, end: number): boolean {
  const { text } = cursor;
  let at = end;
  while (at < cursor.end && text.charCodeAt(at) === CHAR.space) at += 1;
  if (text.charCodeAt(at) !== CHAR.colon || !isBlankAt(cursor, at + 1)) return false;
  cursor.at = at + 1;
  return true;
}

/** Reads a block list whose items begin at the cursor's column. */
function readBlockList(cursor: Cursor): ListNode | undefined {
  if (!open(cursor)) return undefined;
  const start = cursor.at;
  const column = columnOf(cursor);
  const first = readItem(cursor, column);
  if (!first) return undefined;
  // Most lists have one item; pushing it to an empty array would allocate room for seventeen.
  const items = [first];
  while (cursor.nodesLeft >= 0 && skipToContent(cursor) && columnOf(cursor) === column && isListItem(cursor)) {
    const item = readItem(cursor, column);
    if (!item) return undefined;
    items.push(item);
  }
  if (cursor.nodesLeft < 0) return undefined;
  if (cursor.at < cursor.end && columnOf(cursor) > column) return undefined;
  cursor.depthLeft += 1;
  return { kind: 'list', range: { start, end: items.at(-1)!.range.end }, items };
}

function readItem(cursor: Cursor, column: number): DocumentNode | undefined {
  cursor.at += 1;
  skipSpaces(cursor);
  const dashEnd = cursor.at;
  if (!isLineEnd(cursor)) return readBlockNode(cursor, column);
  const isInside = finishLine(cursor) && skipToContent(cursor) && columnOf(cursor) > column;
  return isInside ? readBlockNode(cursor, column) : nothingAt(cursor, dashEnd);
}

/** Reads a block map whose first key and colon have been read. */
function readBlockMap(cursor: Cursor, first: Key): MapNode | undefined {
  if (!open(cursor)) return undefined;
  const start = first.isQuoted ? first.keyRange.start - 1 : first.keyRange.start;
  const column = start - cursor.lineStart;
  const entries: Entries = { list: [], keys: undefined };
  for (let key: Key | undefined = first; key; key = nextKey(cursor, column)) {
    const value = readEntryValue(cursor, column);
    if (!value || cursor.nodesLeft < 0 || !addEntry(entries, { key: key.key, keyRange: key.keyRange, value }))
      return undefined;
  }
  if (cursor.at < cursor.end && columnOf(cursor) >= column) return undefined;
  cursor.depthLeft += 1;
  return { kind: 'map', range: { start, end: entries.list.at(-1)!.value.range.end }, entries: entries.list };
}

function nextKey(cursor: Cursor, column: number): Key | undefined {
  return skipToContent(cursor) && columnOf(cursor) === column ? readKey(cursor) : undefined;
}

/** Reads the value after the colon. */
function readEntryValue(cursor: Cursor, column: number): DocumentNode | undefined {
  skipSpaces(cursor);
  if (!isLineEnd(cursor)) return isListItem(cursor) ? undefined : readLeaf(cursor, column);
  const colonEnd = cursor.at;
  if (!finishLine(cursor) || !skipToContent(cursor)) return nothingAt(cursor, colonEnd);
  if (columnOf(cursor) > column) return readBlockNode(cursor, column);
  if (columnOf(cursor) === column && isListItem(cursor)) return readBlockList(cursor);
  return nothingAt(cursor, colonEnd);
}

/** Reads a scalar, or a list or map in brackets, up to the end of its last line. */
function readLeaf(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === CHAR.bar || code === CHAR.greater) return readBlockScalar(cursor, parentIndent);
  const node = readInline(cursor, code, parentIndent);
  return node && finishLine(cursor) ? node : undefined;
}

function readInline(cursor: Cursor, code: number, parentIndent: number): DocumentNode | undefined {
  if (code === CHAR.doubleQuote || code === CHAR.singleQuote) return readQuoted(cursor, parentIndent);
  if (code === CHAR.openList || code === CHAR.openMap) return readFlow(cursor, parentIndent);
  return readBlockPlain(cursor, parentIndent);
}

/** Reads a key and its colon on one line; consumes nothing if there is no key. */
function readKey(cursor: Cursor): Key | undefined {
  const { at: start, text } = cursor;
  const code = text.charCodeAt(start);
  if (code === CHAR.doubleQuote || code === CHAR.singleQuote) return readQuotedKey(cursor);
  if (!beginsPlain(cursor)) return undefined;
  const end = plainLineEnd(cursor, start, false);
  return end > start && skipColon(cursor, end) ? plainKey(cursor, start, end) : undefined;
}

function readQuotedKey(cursor: Cursor): Key | undefined {
  const { at: start, lineStart, nodesLeft } = cursor;
  const node = readQuoted(cursor, -1);
  cursor.nodesLeft = nodesLeft;
  if (node && cursor.lineStart === lineStart && skipColon(cursor, cursor.at)) return keyOf(cursor, node);
  cursor.at = start;
  cursor.lineStart = lineStart;
  return undefined;
}

function plainKey({ text }: Cursor, start: number, end: number): Key {
  return { key: text.slice(start, end), keyRange: { start, end }, isQuoted: false };
}

function isLineEnd({ text, at, end }: Cursor): boolean {
  return at >= end || isBreak(text.charCodeAt(at)) || text.charCodeAt(at) === CHAR.hash;
}

function open(cursor: Cursor): boolean {
  if (cursor.depthLeft === 0) return false;
  cursor.depthLeft -= 1;
  cursor.nodesLeft -= 1;
  return true;
}
