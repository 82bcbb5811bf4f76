import { EDGE_V2 } from '@tollgate/catalog';
import type { Range, SourceText } from '@tollgate/diagnostics';
import {
  type DocumentLimits,
  type DocumentNode,
  documentLimits,
  type Finding,
  type ListNode,
  type MapEntryNode,
  type MapNode,
  type PlainValue,
  plainValue,
  Reporter,
  reportLimit,
  type ScalarNode,
} from './document-node.ts';
import { readFastPath } from './read-subset.ts';
import { type ReadDocuments, readWithYamlLibrary } from './read-with-yaml-library.ts';
import { mapFlowScalar } from './scalar-text.ts';
import { type PartPath, selectParts } from './select-part.ts';

/** Limits for reading, and where to report errors. */
interface DocumentReadOptions {
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

const NO_DOCUMENTS: ReadDocuments = { documents: [], comments: [] };

/**
 * Reads source text into nodes with ranges: strict JSON if the uri ends with `.json`, otherwise YAML. Reports every
 * error, and returns no documents if a limit is exceeded. Never throws, and takes time linear in the size of the text.
 */
export function readDocuments({ text, uri }: SourceText, { limits, reporter }: DocumentReadOptions): ReadDocuments {
  if (text.length > limits.maxDocumentSize) {
    reportLimit(reporter, 'maxDocumentSize', limits);
    return NO_DOCUMENTS;
  }
  if (/\.json$/i.test(uri)) return readJson(text, limits, reporter) ?? NO_DOCUMENTS;
  const direct = readFastPath(text, limits);
  if (direct) return { documents: [direct.root], comments: direct.comments, size: { nodes: direct.nodes, tokens: 0 } };
  return readWithYamlLibrary(text, limits, reporter) ?? NO_DOCUMENTS;
}

/** Reads as much of the documents as can be read, and ignores errors. */
export function parseDocuments(source: SourceText): readonly DocumentNode[] {
  return readDocuments(source, { limits: documentLimits(EDGE_V2), reporter: new Reporter(source.uri, 1) }).documents;
}

/** Returns the only document of a file, or the part at the path, as a value. Undefined if it has errors, or if there is not exactly one. */
export function readPlain(source: SourceText, part?: PartPath): PlainValue | undefined {
  const node = readOnly(source, part);
  return node && plainValue(node);
}

/** Returns the only document of a file, or the part at the path. Undefined if it has errors, or if there is not exactly one. */
export function readOnly(source: SourceText, part?: PartPath): DocumentNode | undefined {
  const reporter = new Reporter(source.uri, 1);
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const [node, second] = part ? selectParts(documents, part, reporter) : documents;
  return second || !reporter.isEmpty ? undefined : node;
}

/**
 * Reads strict JSON (RFC 8259), ignoring a leading byte order mark. Reports every violation, such as
 * comments and trailing commas, and reads on as was probably meant. Undefined if a limit is exceeded.
 */
function readJson(text: string, limits: DocumentLimits, reporter: Reporter): ReadDocuments | undefined {
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

/** RFC 8259, section 7. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Reads a quoted string, up to the closing quote or the end of the line, and reports what JSON does not allow in it. */
function readJsonString(cursor: JsonCursor): ScalarNode {
  const { text, at: start } = cursor;
  const quote = text[start]!;
  const end = closingQuote(cursor, quote);
  const isClosed = text[end] === quote;
  cursor.at = isClosed ? end + 1 : end;
  const range = { start, end: cursor.at };
  if (quote === "'") report(cursor, 'single-quotes', range, { message: 'string in single quotes; use double quotes' });
  if (!isClosed) report(cursor, 'unclosed-text', range, { message: `unterminated string; add \`${quote}\`` });
  const mapped = mapFlowScalar(text, isClosed ? range : { start, end: end + 1 }, 'double');
  const pieces = mapped.pieces;
  return { kind: 'scalar', range, value: mapped.text, style: 'double', text: { value: mapped.text, pieces, range } };
}

function closingQuote(cursor: JsonCursor, quote: string): number {
  const { text } = cursor;
  let at = cursor.at + 1;
  while (at < text.length && text[at] !== quote && text[at] !== '\n' && text[at] !== '\r') {
    if (text[at] === '\\') at = skipEscape(cursor, at);
    else if (text.charCodeAt(at) < 0x20) at = skipControl(cursor, at);
    else at += 1;
  }
  return Math.min(at, text.length);
}

function skipEscape(cursor: JsonCursor, at: number): number {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(cursor.text)?.[0];
  if (found !== undefined) return at + found.length;
  const written = cursor.text.slice(at, at + 2);
  const range = { start: at, end: at + 2 };
  report(cursor, 'bad-escape', range, {
    message: `\`${written}\` is not a JSON escape; write a backslash as \`\\\\\``,
    args: { found: written },
    fixes: [
      {
        title: 'double the backslash',
        applicability: 'suggestion',
        edits: [{ range: { start: at, end: at }, newText: '\\' }],
      },
    ],
  });
  return /[\n\r]/.test(written) ? at + 1 : at + 2;
}

function skipControl(cursor: JsonCursor, at: number): number {
  const codePoint = `\\u${cursor.text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  const spelling = cursor.text[at] === '\t' ? '\\t' : codePoint;
  const message = `control character in a string; write it as \`${spelling}\``;
  report(cursor, 'control-character', { start: at, end: at + 1 }, { message, args: { spelling } });
  return at + 1;
}

const WORD = /[^\s,:[\]{}"'/#]+|./suy;
/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads a number, `true`, `false` or `null`, and reports anything else. */
function readJsonWord(cursor: JsonCursor): DocumentNode {
  const start = cursor.at;
  const word = take(cursor, WORD) ?? '';
  const range = { start, end: cursor.at };
  const constant = CONSTANTS.get(word);
  const value = constant === undefined && NUMBER.test(word) ? Number(word) : constant;
  if (value !== undefined) return { kind: 'scalar', range, value, style: 'plain', text: undefined };
  report(cursor, 'bad-value', range, { message: explain(word), args: { found: word } });
  return { kind: 'broken', range };
}

function explain(word: string): string {
  const constant = word.toLowerCase();
  if (CONSTANTS.has(constant)) return `\`${word}\` is not a JSON value; write \`${constant}\``;
  if (constant === 'none' || constant === 'undefined') return `\`${word}\` is not a JSON value; write \`null\``;
  if (/^[-+.\d]/.test(word)) return `\`${word}\` is not a JSON number`;
  return `\`${word}\` is not a JSON value; put double quotes around a string`;
}

/** The state of reading a JSON document. */
interface JsonCursor {
  readonly text: string;
  readonly reporter: Reporter;
  readonly comments: Range[];
  at: number;
  depthLeft: number;
  nodesLeft: number;
}

/** Reports a problem with the code `json/…`. */
function report(
  { reporter, text }: JsonCursor,
  code: string,
  { start, end }: Range,
  finding: Pick<Finding, 'message'> & Partial<Finding>,
): void {
  const range = { start: Math.min(start, text.length), end: Math.min(Math.max(end, start), text.length) };
  reporter.report({ args: {}, ...finding, code: `json/${code}`, range });
}

const BLANKS = /[ \t\r\n]+/y;
const COMMENT = /\/\/[^\n\r]*|#[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/y;

/** Skips whitespace and comments, reporting the comments. Returns the next character, or '' at the end. */
function nextToken(cursor: JsonCursor): string {
  for (;;) {
    take(cursor, BLANKS);
    const start = cursor.at;
    if (!take(cursor, COMMENT)) return cursor.text[start] ?? '';
    const range = { start, end: cursor.at };
    cursor.comments.push(range);
    report(cursor, 'comment', range, { message: 'JSON has no comments; remove it, or write the policy in YAML' });
  }
}

/** Consumes a match of the sticky pattern at the cursor. */
function take(cursor: JsonCursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}
