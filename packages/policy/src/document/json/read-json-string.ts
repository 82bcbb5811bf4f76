import type { ScalarNode } from '../model/document-node.ts';
import { mapFlowScalar } from '../scalars/map-flow-scalar.ts';
import { type JsonCursor, report } from './json-cursor.ts';

/** RFC 8259, section 7. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Reads a quoted string, up to the closing quote or the end of the line, and reports what JSON does not allow in it. */
export function readJsonString(cursor: JsonCursor): ScalarNode {
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
