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

/** A field without spaces. */
export const word = (expected: string): LineStep => ({ expected, pattern: /(\S+)(?: |$)/y });

/** A field in double quotes, in which a backslash escapes. */
export const quoted = (expected: string): LineStep => ({ expected, pattern: /"((?:[^"\\]|\\.)*)"(?: |$)/sy });
