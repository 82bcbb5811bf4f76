import type { Range } from '@tollgate/diagnostics';
import type { ScalarNode, ScalarStyle } from '../model/document-node.ts';
import { mapBlockScalar } from '../scalars/map-block-scalar.ts';
import { mapFlowScalar } from '../scalars/map-flow-scalar.ts';
import { CHAR, type Cursor, finishLine, isBreak } from './cursor.ts';
import { beginsPlain, plainLineEnd, resolvePlain } from './plain-scalar.ts';

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
