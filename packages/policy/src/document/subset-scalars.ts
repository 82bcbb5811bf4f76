import type { Range } from '@tollgate/diagnostics';
import type { ScalarNode, ScalarStyle } from './document-node.ts';
import { mapBlockScalar, mapFlowScalar } from './scalar-text.ts';

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

/** Characters that cannot begin a plain scalar (YAML 1.2.2, section 5.3), or only before certain characters. */
const INDICATORS: ReadonlySet<number> = new Set(
  Array.from('!"#%&\'*,-:>?@[]`{|}', character => character.charCodeAt(0)),
);

/** Returns true if a plain scalar certainly begins at the cursor. */
export function beginsPlain(cursor: Cursor): boolean {
  const code = cursor.text.charCodeAt(cursor.at);
  if (!INDICATORS.has(code)) return true;
  return (code === CHAR.dash || code === CHAR.colon) && isWordAt(cursor, cursor.at + 1);
}

function isWordAt({ text, end }: Cursor, at: number): boolean {
  return at < end && /[\w:./]/.test(text[at]!);
}

/** Returns the end of a plain scalar on this line, without trailing spaces. */
export function plainLineEnd(cursor: Cursor, start: number, isFlow: boolean): number {
  const { text, end } = cursor;
  let contentEnd = start;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) break;
    if (code === CHAR.space) continue;
    // Letters and most other characters never end a scalar outside brackets.
    if (code > CHAR.colon && !isFlow) {
      contentEnd = at + 1;
      continue;
    }
    if (code === CHAR.hash && at > start && text.charCodeAt(at - 1) === CHAR.space) break;
    if (code === CHAR.colon && endsKey(cursor, at + 1, isFlow)) break;
    if (isFlow && isFlowIndicator(code)) break;
    contentEnd = at + 1;
  }
  return contentEnd;
}

/** Returns true if a colon before `at` ends a key. */
function endsKey(cursor: Cursor, at: number, isFlow: boolean): boolean {
  return isBlankAt(cursor, at) || (isFlow && isFlowIndicator(cursor.text.charCodeAt(at)));
}

/** Returns true if a character cannot be part of a plain scalar inside brackets and braces. */
export function isFlowIndicator(code: number): boolean {
  return (
    code === CHAR.comma ||
    code === CHAR.openList ||
    code === CHAR.closeList ||
    code === CHAR.openMap ||
    code === CHAR.closeMap
  );
}

/** Plain scalars that begin with another character are always strings. */
const MAYBE_NO_STRING: ReadonlySet<number> = new Set(
  Array.from('-+.0123456789~nNtTfF', character => character.charCodeAt(0)),
);

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['null', 'Null', 'NULL', '~'].map(text => [text, null] as const),
  ...['true', 'True', 'TRUE'].map(text => [text, true] as const),
  ...['false', 'False', 'FALSE'].map(text => [text, false] as const),
]);

/** Returns the value of a one-line plain scalar in the core schema (section 10.3.2). */
function resolvePlain(text: string): string | number | boolean | null {
  if (!MAYBE_NO_STRING.has(text.charCodeAt(0))) return text;
  const constant = CONSTANTS.get(text);
  return constant === undefined ? (numberOf(text) ?? text) : constant;
}

const INTEGER = /^(?:[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function numberOf(text: string): number | undefined {
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  const infinite = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(text);
  if (!infinite) return undefined;
  return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Creates the null node of an omitted value, as in `key:`. */
export function nothingAt(cursor: Cursor, offset: number): ScalarNode {
  cursor.nodesLeft -= 1;
  return { kind: 'scalar', range: { start: offset, end: offset }, value: null, style: 'plain', text: undefined };
}

/** Reads a one-line plain scalar inside brackets and braces. */
export function readFlowPlain(cursor: Cursor): ScalarNode | undefined {
  if (!beginsPlain(cursor)) return undefined;
  const start = cursor.at;
  cursor.at = plainLineEnd(cursor, start, true);
  return plainNode(cursor, start);
}

/** Reads a plain scalar with all its lines, which must be indented by more than `parentIndent`. */
export function readBlockPlain(cursor: Cursor, parentIndent: number): ScalarNode | undefined {
  if (!beginsPlain(cursor)) return undefined;
  return readPlainLines(cursor, plainLineEnd(cursor, cursor.at, false), parentIndent);
}

/** Like {@link readBlockPlain}, if the end on the first line is already known. */
export function readPlainLines(cursor: Cursor, firstEnd: number, parentIndent: number): ScalarNode | undefined {
  const start = cursor.at;
  cursor.at = firstEnd;
  let lines = 1;
  for (let next = continuation(cursor, parentIndent); next >= 0; next = continuation(cursor, parentIndent)) {
    if (!isSureToContinue(cursor, next)) return undefined;
    cursor.at = plainLineEnd(cursor, next, false);
    lines += 1;
  }
  return lines === 1 ? plainNode(cursor, start) : mappedNode(cursor, start, 'plain');
}

/** Start of the next line of a plain scalar; -1 if it ends on this one. */
function continuation(cursor: Cursor, parentIndent: number): number {
  const { text, end } = cursor;
  let at = cursor.at;
  while (text.charCodeAt(at) === CHAR.space) at += 1;
  if (text.charCodeAt(at) === CHAR.carriageReturn) at += 1;
  if (at >= end || text.charCodeAt(at) !== CHAR.lineBreak) return -1;
  let lineStart = at + 1;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CHAR.lineBreak) lineStart = at + 1;
    else if (code !== CHAR.space && code !== CHAR.carriageReturn) break;
  }
  if (at >= end || at - lineStart <= parentIndent || text.charCodeAt(at) === CHAR.hash) return -1;
  cursor.lineStart = lineStart;
  return at;
}

/** Returns false if the line could also begin a node of its own, which the YAML library diagnoses. */
function isSureToContinue({ text }: Cursor, at: number): boolean {
  return !/[-?:]/.test(text[at]!);
}

/** Reads a quoted string; all its lines must be indented by more than `parentIndent`. */
export function readQuoted(cursor: Cursor, parentIndent: number): ScalarNode | undefined {
  const start = cursor.at;
  const quote = cursor.text.charCodeAt(start);
  const close = closingQuote(cursor, quote, parentIndent);
  if (close < 0) return undefined;
  cursor.at = close + 1;
  const style = quote === CHAR.singleQuote ? 'single' : 'double';
  const inner = cursor.text.slice(start + 1, close);
  const isEscaped = inner.includes(style === 'double' ? '\\' : "'");
  if (style === 'double' && isEscaped && !SURE_ESCAPES.test(inner)) return undefined;
  if (isEscaped || inner.includes('\n')) return mappedNode(cursor, start, style);
  return verbatimNode(cursor, { start, end: close + 1 }, inner, style);
}

/** All escapes except `\U`, which may not denote a character. */
const SURE_ESCAPES = /^(?:[^\\]|\\(?:\r?\n|["\\/0abtnvfre N_LP]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}))*$/;

function closingQuote(cursor: Cursor, quote: number, parentIndent: number): number {
  const { text, end } = cursor;
  for (let at = cursor.at + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (quote === CHAR.doubleQuote || text.charCodeAt(at + 1) !== quote || at + 1 >= end) return at;
      at += 1;
    } else if (code === CHAR.lineBreak) {
      if (!isIndented(cursor, at + 1, parentIndent)) return -1;
    } else if (code === CHAR.backslash && quote === CHAR.doubleQuote) {
      if (text.charCodeAt(at + 1) !== CHAR.lineBreak) at += 1;
    }
  }
  return -1;
}

/** Returns true if the line at `lineStart` is empty or indented by more than `parentIndent`. */
export function isIndented(cursor: Cursor, lineStart: number, parentIndent: number): boolean {
  let at = lineStart;
  while (cursor.text.charCodeAt(at) === CHAR.space) at += 1;
  cursor.lineStart = lineStart;
  return at >= cursor.end || isBreak(cursor.text.charCodeAt(at)) || at - lineStart > parentIndent;
}

/** Reads a literal or folded scalar without an indentation indicator, with clip or strip chomping. */
export function readBlockScalar(cursor: Cursor, parentIndent: number): ScalarNode | undefined {
  const { text } = cursor;
  const start = cursor.at;
  const isStripped = text.charCodeAt(start + 1) === CHAR.dash;
  cursor.at += isStripped ? 2 : 1;
  if (parentIndent < 0 || !finishLine(cursor) || cursor.at >= cursor.end) return undefined;
  const bodyEnd = blockEnd(cursor, parentIndent);
  if (bodyEnd === undefined) return undefined;
  const range = { start, end: bodyEnd };
  const { text: decoded, pieces } = mapBlockScalar(text, range, parentIndent);
  const content = decoded.replace(/\n+$/, '');
  const value = isStripped ? content : `${content}\n`;
  if (!decoded.startsWith(value)) return undefined;
  cursor.at = bodyEnd;
  cursor.lineStart = bodyEnd;
  cursor.nodesLeft -= 1;
  const style = text.charCodeAt(start) === CHAR.bar ? 'literal' : 'folded';
  const kept = pieces.filter(piece => piece.from < value.length);
  return { kind: 'scalar', range, value, style, text: { value, pieces: kept, range } };
}

/** End of the last line with content; undefined if there is none or the indentation is ambiguous. */
function blockEnd(cursor: Cursor, parentIndent: number): number | undefined {
  const { text, end } = cursor;
  let indent = -1;
  let contentEnd: number | undefined;
  let line = text.indexOf('\n', cursor.at) + 1;
  while (line < end) {
    let at = line;
    while (text.charCodeAt(at) === CHAR.space) at += 1;
    const isBlank = at >= end || isBreak(text.charCodeAt(at));
    const width = at - line;
    if (isBlank && width > Math.max(indent, parentIndent + 1)) return undefined;
    if (!isBlank && indent < 0 && width > parentIndent) indent = width;
    if (!isBlank && width < Math.max(indent, 0)) return width <= parentIndent ? contentEnd : undefined;
    if (!isBlank && indent < 0) return undefined;
    const lineBreak = text.indexOf('\n', at);
    line = lineBreak < 0 || lineBreak >= end ? end : lineBreak + 1;
    if (!isBlank) contentEnd = line;
  }
  return contentEnd;
}

function plainNode(cursor: Cursor, start: number): ScalarNode | undefined {
  if (cursor.at === start) return undefined;
  const source = cursor.text.slice(start, cursor.at);
  const value = resolvePlain(source);
  const range = { start, end: cursor.at };
  if (typeof value === 'string') return verbatimNode(cursor, range, value, 'plain');
  cursor.nodesLeft -= 1;
  return { kind: 'scalar', range, value, style: 'plain', text: undefined };
}

/** Creates the node of a scalar whose value is its source. */
function verbatimNode(cursor: Cursor, range: Range, value: string, style: ScalarStyle): ScalarNode {
  cursor.nodesLeft -= 1;
  const inner = style === 'plain' ? range : { start: range.start + 1, end: range.end - 1 };
  const pieces = value === '' ? [] : [{ from: 0, to: value.length, range: inner }];
  return { kind: 'scalar', range, value, style, text: { value, pieces, range } };
}

function mappedNode(cursor: Cursor, start: number, style: 'plain' | 'single' | 'double'): ScalarNode {
  cursor.nodesLeft -= 1;
  const range = { start, end: cursor.at };
  const { text: value, pieces } = mapFlowScalar(cursor.text, range, style);
  return { kind: 'scalar', range, value, style, text: { value, pieces, range } };
}
