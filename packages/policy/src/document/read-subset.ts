import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, ListNode, MapEntryNode, MapNode } from './document-node.ts';
import {
  beginsPlain,
  CHAR,
  type Cursor,
  columnOf,
  finishLine,
  isBlankAt,
  isBreak,
  isFlowIndicator,
  isIndented,
  isListItem,
  nothingAt,
  plainLineEnd,
  readBlockPlain,
  readBlockScalar,
  readFlowPlain,
  readPlainLines,
  readQuoted,
  skipSpaces,
  skipToContent,
} from './subset-scalars.ts';

/** The contents of a well-formed document, or of a part of one. */
interface SubsetDocument {
  readonly root: DocumentNode;
  /** Each from `#` to the end of its line, in order. */
  readonly comments: readonly Range[];
  /** Number of values. */
  readonly nodes: number;
}

/** The limits that apply to well-formed documents. */
interface SubsetLimits {
  readonly maxDocumentDepth: number;
  readonly maxDocumentNodes: number;
}

/**
 * Anything that always needs the YAML library: tabs, carriage returns that do not belong to a line break, other line breaks, forbidden
 * characters, document markers, directives, a byte order mark.
 */
const UNSUPPORTED =
  /\r(?!\n)|[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|^(?:---|\.\.\.|%)/m;

/**
 * Reads YAML (and JSON) that is certainly well-formed and has no anchors or tags; undefined for anything else, which
 * the YAML library reads or rejects. Returns the same nodes as `readWithYamlLibrary`, about ten
 * times as fast.
 *
 * @param part a range to read as if it were a document; offsets stay those of the whole text
 */
export function readFastPath(text: string, limits: SubsetLimits, part?: Range): SubsetDocument | undefined {
  const { start, end } = part ?? { start: 0, end: text.length };
  if (UNSUPPORTED.test(part ? text.slice(start, end) : text)) return undefined;
  const cursor: Cursor = {
    text,
    end,
    at: start,
    lineStart: start,
    depthLeft: limits.maxDocumentDepth,
    nodesLeft: limits.maxDocumentNodes,
    comments: [],
  };
  if (!skipToContent(cursor)) return undefined;
  const root = readBlockNode(cursor, -1);
  if (!root || cursor.nodesLeft < 0 || skipToContent(cursor)) return undefined;
  return { root, comments: cursor.comments, nodes: limits.maxDocumentNodes - cursor.nodesLeft };
}

/**
 * Reads the node at the cursor, inside a parent indented by `parentIndent`. Hot: a scalar is read once, whether it
 * turns out to be a key or a value.
 */
function readBlockNode(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
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

/** Reads a list in brackets or a map in braces; all its lines must be indented by more than `parentIndent`. */
function readFlow(cursor: Cursor, parentIndent: number): ListNode | MapNode | undefined {
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
    const item = next === 'item' ? readFlowItem(cursor, parentIndent) : undefined;
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

function readFlowItem(cursor: Cursor, parentIndent: number): DocumentNode | undefined {
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

/** A mapping key. */
interface Key {
  readonly key: string;
  /** Without quotes. */
  readonly keyRange: Range;
  readonly isQuoted: boolean;
}

/** Returns the node as a key, or undefined if it is not a scalar. A plain key is a string whatever it would be as a value. */
function keyOf({ text }: Cursor, node: DocumentNode): Key | undefined {
  if (node.kind !== 'scalar') return undefined;
  const { start, end } = node.range;
  if (node.style === 'plain') return { key: text.slice(start, end), keyRange: node.range, isQuoted: false };
  return { key: String(node.value), keyRange: { start: start + 1, end: end - 1 }, isQuoted: true };
}

/** The entries of a map while it is read; for large maps also the set of keys, to find duplicates. */
interface Entries {
  readonly list: MapEntryNode[];
  keys: Set<string> | undefined;
}

const MANY = 12;
/** YAML 1.2.2, section 7.4.2. */
const LONGEST_KEY = 1000;

/** Adds an entry; returns false if its key is a duplicate, a merge, or too long. */
function addEntry(entries: Entries, entry: MapEntryNode): boolean {
  const { key } = entry;
  const { list } = entries;
  if (key === '<<' || key.length > LONGEST_KEY) return false;
  if (list.length === MANY) entries.keys = new Set(list.map(one => one.key));
  if (entries.keys ? entries.keys.has(key) : isIn(list, key)) return false;
  entries.keys?.add(key);
  list.push(entry);
  return true;
}

function isIn(list: readonly MapEntryNode[], key: string): boolean {
  for (const entry of list) if (entry.key === key) return true;
  return false;
}
