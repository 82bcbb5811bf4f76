import type { DocumentLimits } from '../model/document-limits.ts';
import type { DocumentNode, ListNode, MapEntryNode, MapNode, ScalarNode } from '../model/document-node.ts';
import { reportLimit } from '../model/report-limit.ts';
import type { Reporter } from '../model/reporter.ts';
import type { ReadDocuments } from '../yaml-library/read-with-yaml-library.ts';
import { type JsonCursor, nextToken, report } from './json-cursor.ts';
import { readJsonString } from './read-json-string.ts';
import { readJsonWord } from './read-json-word.ts';

/**
 * Reads strict JSON (RFC 8259), ignoring a leading byte order mark. Reports every violation, such as
 * comments and trailing commas, and reads on as was probably meant. Undefined if a limit is exceeded.
 */
export function readJson(text: string, limits: DocumentLimits, reporter: Reporter): ReadDocuments | undefined {
  const cursor: JsonCursor = {
    text,
    reporter,
    comments: [],
    at: text.startsWith('\ufeff') ? 1 : 0,
    depthLeft: limits.maxDocumentDepth,
    nodesLeft: limits.maxDocumentNodes,
  };
  if (nextToken(cursor) === '') return { documents: [], comments: cursor.comments };
  const root = readValue(cursor);
  const exceeded = cursor.depthLeft < 0 ? 'maxDocumentDepth' : cursor.nodesLeft < 0 ? 'maxDocumentNodes' : undefined;
  if (exceeded) {
    reportLimit(reporter, exceeded, limits, { start: cursor.at, end: Math.min(cursor.at + 1, text.length) });
    return undefined;
  }
  if (nextToken(cursor) !== '') {
    const range = { start: cursor.at, end: text.length };
    report(cursor, 'text-behind-end', range, { message: 'expected the end of the document after its value' });
  }
  return { documents: [root], comments: cursor.comments };
}

/** Exceeding a limit ends the reading: the rest of the document is skipped. */
function readValue(cursor: JsonCursor): DocumentNode {
  const character = nextToken(cursor);
  cursor.nodesLeft -= 1;
  if (character === '[' || character === '{') {
    cursor.depthLeft -= 1;
    if (cursor.depthLeft < 0 || cursor.nodesLeft < 0)
      return { kind: 'broken', range: { start: cursor.at, end: cursor.at } };
    const node = character === '[' ? readList(cursor) : readMap(cursor);
    if (cursor.depthLeft >= 0) cursor.depthLeft += 1;
    return node;
  }
  if (character === '"' || character === "'") return readJsonString(cursor);
  if (character === '' || ',:]}'.includes(character)) return missingValue(cursor);
  return readJsonWord(cursor);
}

function missingValue(cursor: JsonCursor): DocumentNode {
  const found = cursor.at < cursor.text.length ? `\`${cursor.text[cursor.at]}\`` : 'the end of the document';
  const range = { start: cursor.at, end: cursor.at + 1 };
  report(cursor, 'missing-value', range, { message: `expected a value, found ${found}` });
  return { kind: 'broken', range: { start: cursor.at, end: cursor.at } };
}

function readList(cursor: JsonCursor): ListNode {
  const start = cursor.at;
  const items: DocumentNode[] = [];
  readItems(cursor, ']', () => items.push(readValue(cursor)));
  return { kind: 'list', range: { start, end: cursor.at }, items };
}

function readMap(cursor: JsonCursor): MapNode {
  const start = cursor.at;
  const entries = new Map<string, MapEntryNode>();
  readItems(cursor, '}', () => {
    const entry = readEntry(cursor);
    const first = entry && entries.get(entry.key);
    if (first) reportDuplicate(cursor, entry, first);
    if (entry) entries.set(entry.key, entry);
  });
  return { kind: 'map', range: { start, end: cursor.at }, entries: [...entries.values()] };
}

/** Reads what is between brackets and commas. Each iteration consumes at least one character. */
function readItems(cursor: JsonCursor, close: string, readOne: () => void): void {
  const start = cursor.at;
  let comma: number | undefined = cursor.at;
  cursor.at += 1;
  for (let next = nextToken(cursor); next !== close; next = nextToken(cursor)) {
    if (cursor.depthLeft < 0 || cursor.nodesLeft < 0) return;
    if (next === '' || next === ']' || next === '}') {
      reportUnclosed(cursor, start, close);
      return;
    }
    if (comma === undefined) reportMissingComma(cursor);
    const before = cursor.at;
    readOne();
    if (nextToken(cursor) === ',' || cursor.at === before) {
      comma = cursor.at;
      cursor.at += 1;
    } else comma = undefined;
  }
  if (comma !== undefined && comma !== start) reportTrailingComma(cursor, comma);
  cursor.at += 1;
}

function readEntry(cursor: JsonCursor): MapEntryNode | undefined {
  const node = readKey(cursor);
  if (nextToken(cursor) !== ':') {
    const range = { start: cursor.at, end: cursor.at + 1 };
    report(cursor, 'missing-colon', range, { message: 'missing `:` after the key; add it' });
    return undefined;
  }
  cursor.at += 1;
  const value = readValue(cursor);
  if (node?.kind !== 'scalar') return undefined;
  const { start, end } = node.range;
  const isWord = node.style === 'plain';
  return { key: String(node.value), keyRange: isWord ? node.range : { start: start + 1, end: end - 1 }, value };
}

function readKey(cursor: JsonCursor): ScalarNode | undefined {
  const character = cursor.text[cursor.at]!;
  if (character === '"' || character === "'") return readJsonString(cursor);
  const found = /^[^\s,:[\]{}"']+/.exec(cursor.text.slice(cursor.at, cursor.at + 1000))?.[0] ?? '';
  const range = { start: cursor.at, end: cursor.at + Math.max(found.length, 1) };
  report(cursor, 'unquoted-key', range, {
    message: 'key without quotes; put double quotes around it',
    ...(found !== '' && {
      fixes: [{ title: 'put quotes around it', applicability: 'safe', edits: [{ range, newText: `"${found}"` }] }],
    }),
  });
  cursor.at += found.length;
  return found === '' ? undefined : { kind: 'scalar', range, value: found, style: 'plain', text: undefined };
}

function reportTrailingComma(cursor: JsonCursor, comma: number): void {
  const range = { start: comma, end: comma + 1 };
  const edits = [{ range, newText: '' }];
  report(cursor, 'trailing-comma', range, {
    message: 'trailing comma; remove it',
    fixes: [{ title: 'remove the comma', applicability: 'safe', edits }],
  });
}

function reportMissingComma(cursor: JsonCursor): void {
  const range = { start: cursor.at, end: cursor.at + 1 };
  report(cursor, 'missing-comma', range, { message: 'missing `,` between two values; add it' });
}

function reportUnclosed(cursor: JsonCursor, start: number, close: string): void {
  const range = { start: cursor.at, end: cursor.at + 1 };
  const places = [{ range: { start, end: start + 1 }, message: 'opened here' }];
  const found = cursor.at < cursor.text.length ? `\`${cursor.text[cursor.at]}\`` : 'the end of the document';
  report(cursor, 'unclosed-bracket', range, { message: `expected \`${close}\`, found ${found}`, related: places });
}

function reportDuplicate({ reporter }: JsonCursor, { key, keyRange }: MapEntryNode, first: MapEntryNode): void {
  const related = [{ range: first.keyRange, message: 'first defined here' }];
  const message = `duplicate key \`${key}\``;
  reporter.report({ code: 'json/duplicate-key', message, range: keyRange, args: { key }, related });
}
