import type { Range } from '@tollgate/diagnostics';
import type { Finding, Reporter } from '../model/reporter.ts';

/** Where reading of a JSON text stands. */
export interface JsonCursor {
  readonly text: string;
  readonly reporter: Reporter;
  readonly comments: Range[];
  at: number;
  depthLeft: number;
  nodesLeft: number;
}

/** Reports something that is wrong at a stretch of the text. */
export function report(
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

/** Goes on to what is neither blank nor comment; comments are reported. Gives that character, empty at the end. */
export function nextToken(cursor: JsonCursor): string {
  for (;;) {
    take(cursor, BLANKS);
    const start = cursor.at;
    if (!take(cursor, COMMENT)) return cursor.text[start] ?? '';
    const range = { start, end: cursor.at };
    cursor.comments.push(range);
    report(cursor, 'comment', range, { message: 'JSON has no comments; YAML has, from `#` to the end of the line' });
  }
}

/** Takes what matches the sticky pattern at the cursor. */
export function take(cursor: JsonCursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}
