import { printable } from '@tollgate/diagnostics';

/** One field of a log's lines, with what separates it from the next. */
export interface LineStep {
  /** For messages, with its article: `a status of three digits`. */
  readonly expected: string;
  /** Sticky. Its first capture group is the value. */
  readonly pattern: RegExp;
}

/** The fields of a line in their order, or where it stops being a line of the format. */
export type LineMatch =
  | { readonly kind: 'match'; readonly values: readonly string[]; readonly rest: string }
  | LineMismatch;

/** Where a line stops being one of a format. */
export interface LineMismatch {
  readonly kind: 'mismatch';
  /** UTF-16 offset. */
  readonly offset: number;
  readonly expected: string;
  /** Fields before it that fit. */
  readonly matched: number;
}

/** Matches a line field by field. What follows the last field is the rest. */
export function matchLine(steps: readonly LineStep[], text: string): LineMatch {
  const values: string[] = [];
  let offset = 0;
  for (const { pattern, expected } of steps) {
    pattern.lastIndex = offset;
    const match = pattern.exec(text);
    if (match === null) return { kind: 'mismatch', offset, expected, matched: values.length };
    values.push(match[1] ?? '');
    offset = pattern.lastIndex;
  }
  return { kind: 'match', values, rest: text.slice(offset) };
}

/** Where a line breaks the format whose fields these are, and what was found there; undefined where that is behind them. */
export function explainLine(steps: readonly LineStep[], text: string): string | undefined {
  const match = matchLine(steps, text);
  return match.kind === 'match' ? undefined : mismatchText(match, text);
}

/** `at column 12, expected a status of three digits, found …`. */
export function mismatchText({ offset, expected }: Pick<LineMismatch, 'offset' | 'expected'>, text: string): string {
  const rest = text.slice(offset, offset + SHOWN);
  const found = rest === '' ? 'the end of the line' : `\`${printable(rest)}\``;
  return `at column ${offset + 1}, expected ${expected}, found ${found}`;
}

/** UTF-16 units of a line that are shown from where it breaks the format. */
const SHOWN = 30;

/** A field without spaces. */
export const word = (expected: string): LineStep => ({ expected, pattern: /(\S+)(?: |$)/y });

/** A field in double quotes, in which a backslash escapes. */
export const quoted = (expected: string): LineStep => ({ expected, pattern: /"((?:[^"\\]|\\.)*)"(?: |$)/sy });
