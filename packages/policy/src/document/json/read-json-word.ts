import type { DocumentNode } from '../model/document-node.ts';
import { type JsonCursor, report, take } from './json-cursor.ts';

const WORD = /[^\s,:[\]{}"'/#]+|./suy;
/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads a number, `true`, `false` or `null`, and reports anything else. */
export function readJsonWord(cursor: JsonCursor): DocumentNode {
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
