import type { DocumentNode, ListNode, MapEntryNode, MapNode } from '../model/document-node.ts';
import { CHAR, type Cursor, isBlankAt, isBreak, skipSpaces } from './cursor.ts';
import { addEntry, type Entries, type Key, keyOf } from './map-entries.ts';
import { isFlowIndicator } from './plain-scalar.ts';
import { isIndented, nothingAt, readFlowPlain, readQuoted } from './read-scalar.ts';

/** Reads a list in brackets or a map in braces; all its lines must be indented by more than `parentIndent`. */
export function readFlow(cursor: Cursor, parentIndent: number): ListNode | MapNode | undefined {
  if (cursor.depthLeft === 0) return undefined;
  cursor.depthLeft -= 1;
  cursor.nodesLeft -= 1;
  const isList = cursor.text.charCodeAt(cursor.at) === CHAR.openList;
  const node = isList ? readList(cursor, parentIndent) : readMap(cursor, parentIndent);
  cursor.depthLeft += 1;
  return node;
}

function readList(cursor: Cursor, parentIndent: number): ListNode | undefined {
  const start = cursor.at;
  const items: DocumentNode[] = [];
  for (let next = nextItem(cursor, CHAR.closeList, parentIndent); next !== 'end'; ) {
    const item = next === 'item' ? readItem(cursor, parentIndent) : undefined;
    if (!item || cursor.nodesLeft < 0) return undefined;
    items.push(item);
    next = afterItem(cursor, CHAR.closeList, parentIndent);
  }
  return { kind: 'list', range: { start, end: cursor.at }, items };
}

function readMap(cursor: Cursor, parentIndent: number): MapNode | undefined {
  const start = cursor.at;
  const entries: Entries = { list: [], keys: undefined };
  for (let next = nextItem(cursor, CHAR.closeMap, parentIndent); next !== 'end'; ) {
    const entry = next === 'item' ? readEntry(cursor, parentIndent) : undefined;
    if (!entry || cursor.nodesLeft < 0 || !addEntry(entries, entry)) return undefined;
    next = afterItem(cursor, CHAR.closeMap, parentIndent);
  }
  return { kind: 'map', range: { start, end: cursor.at }, entries: entries.list };
}

type Next = 'item' | 'end' | 'doubtful';

/** Consumes the opening bracket, or the comma before an item. */
function nextItem(cursor: Cursor, close: number, parentIndent: number): Next {
  cursor.at += 1;
  if (!skipInside(cursor, parentIndent)) return 'doubtful';
  if (cursor.text.charCodeAt(cursor.at) !== close) return 'item';
  cursor.at += 1;
  return 'end';
}

function afterItem(cursor: Cursor, close: number, parentIndent: number): Next {
  if (!skipInside(cursor, parentIndent)) return 'doubtful';
  const code = cursor.text.charCodeAt(cursor.at);
  if (code !== CHAR.comma && code !== close) return 'doubtful';
  if (code === CHAR.comma) return nextItem(cursor, close, parentIndent);
  cursor.at += 1;
  return 'end';
}

/** Skips spaces and line breaks; returns false at the end, at a comment, or at a line with too little indentation. */
function skipInside(cursor: Cursor, parentIndent: number): boolean {
  for (;;) {
    skipSpaces(cursor);
    if (cursor.at >= cursor.end) return false;
    const code = cursor.text.charCodeAt(cursor.at);
    if (!isBreak(code)) return code !== CHAR.hash;
    cursor.at += code === CHAR.carriageReturn ? 2 : 1;
    if (!isIndented(cursor, cursor.at, parentIndent)) return false;
  }
}

function readItem(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
  const { at: start, lineStart } = cursor;
  const item = readValue(cursor, parentIndent);
  if (!item) return undefined;
  const key = keyOf(cursor, item);
  skipSpaces(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== CHAR.colon) return item;
  // A pair without braces. The YAML library diagnoses adjacent values and keys on several lines.
  if (!key || cursor.lineStart !== lineStart || !isBlankAt(cursor, cursor.at + 1)) return undefined;
  cursor.nodesLeft -= 1;
  const entry = readPairValue(cursor, key, parentIndent);
  return entry && { kind: 'map', range: { start, end: entry.value.range.end }, entries: [entry] };
}

function readEntry(cursor: Cursor, parentIndent: number): MapEntryNode | undefined {
  const { lineStart } = cursor;
  const node = readValue(cursor, parentIndent);
  const key = node && keyOf(cursor, node);
  if (!key || cursor.lineStart !== lineStart) return undefined;
  skipSpaces(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== CHAR.colon) return undefined;
  if (!isBlankAt(cursor, cursor.at + 1) && !key.isQuoted) return undefined;
  return readPairValue(cursor, key, parentIndent);
}

/** Reads the value after the colon at the cursor. The key has been counted as a value, which it is not. */
function readPairValue(cursor: Cursor, { key, keyRange }: Key, parentIndent: number): MapEntryNode | undefined {
  cursor.nodesLeft += 1;
  cursor.at += 1;
  skipSpaces(cursor);
  const colonEnd = cursor.at;
  if (!skipInside(cursor, parentIndent)) return undefined;
  const isNothing = isFlowIndicator(cursor.text.charCodeAt(cursor.at)) && !isOpening(cursor);
  // The range of an empty value after a line break is the YAML library's to decide.
  if (isNothing && cursor.at !== colonEnd) return undefined;
  const value = isNothing ? nothingAt(cursor, colonEnd) : readValue(cursor, parentIndent);
  return value && { key, keyRange, value };
}

function isOpening({ text, at }: Cursor): boolean {
  const code = text.charCodeAt(at);
  return code === CHAR.openList || code === CHAR.openMap;
}

function readValue(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === CHAR.doubleQuote || code === CHAR.singleQuote) return readQuoted(cursor, parentIndent);
  return isOpening(cursor) ? readFlow(cursor, parentIndent) : readFlowPlain(cursor);
}
