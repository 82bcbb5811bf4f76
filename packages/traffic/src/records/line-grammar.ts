/** Lines with a fixed order of fields: matched field by field, so that a message can name the field that breaks it. */
import { printable } from '@tollgate/diagnostics';

/** A field of a log line, including its separator. */
export interface LineStep {
  /** A noun phrase with its article, for messages: `a status of three digits`. */
  readonly expected: string;
  /** Sticky. The first capture group is the value. */
  readonly pattern: RegExp;
}

/** The fields of a line in order, or where it breaks the format. */
type LineMatch = { readonly kind: 'match'; readonly values: readonly string[]; readonly rest: string } | LineMismatch;

/** Where a line breaks the format. */
interface LineMismatch {
  readonly kind: 'mismatch';
  /** UTF-16 offset. */
  readonly offset: number;
  readonly expected: string;
  /** The number of fields before it. */
  readonly matched: number;
}

/** Matches a line field by field. The rest follows the last field. */
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

/** Returns where a line breaks the format, and what was found there; undefined if that is after the last field. */
export function explainLine(steps: readonly LineStep[], text: string): string | undefined {
  const match = matchLine(steps, text);
  return match.kind === 'match' ? undefined : mismatchText(match, text);
}

/** Returns `at column 12, expected a status of three digits, found …`. */
export function mismatchText({ offset, expected }: Pick<LineMismatch, 'offset' | 'expected'>, text: string): string {
  const rest = text.slice(offset, offset + MAX_SHOWN);
  const found = rest === '' ? 'the end of the line' : `\`${printable(rest)}\``;
  return `at column ${offset + 1}, expected ${expected}, found ${found}`;
}

/** The number of UTF-16 units that are shown of the rest of the line. */
const MAX_SHOWN = 30;

/** A field without spaces. */
export const word = (expected: string): LineStep => ({ expected, pattern: /(\S+)(?: |$)/y });

/** A field in double quotes with backslash escapes. */
export const quoted = (expected: string): LineStep => ({ expected, pattern: /"((?:[^"\\]|\\.)*)"(?: |$)/sy });
