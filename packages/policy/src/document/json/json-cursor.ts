import type { Range } from '@tollgate/diagnostics';
import type { Finding, Reporter } from '../model/reporter.ts';

/** The state of reading a JSON document. */
export interface JsonCursor {
  readonly text: string;
  readonly reporter: Reporter;
  readonly comments: Range[];
  at: number;
  depthLeft: number;
  nodesLeft: number;
}

/** Reports a problem with the code `json/…`. */
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

/** Skips whitespace and comments, reporting the comments. Returns the next character, or '' at the end. */
export function nextToken(cursor: JsonCursor): string {
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
export function take(cursor: JsonCursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}
