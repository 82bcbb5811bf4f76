import type { Range } from '../range.ts';
import type { SourceText } from '../source-text.ts';

/** One-based lines and columns of a range; the end is the place behind its last character. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Columns count UTF-16 code units, code points or bytes of UTF-8: formats differ. */
export type ColumnUnit = 'utf-16' | 'code-point' | 'byte';

const SIZES: Readonly<Record<ColumnUnit, (text: string) => number>> = {
  'utf-16': text => text.length,
  'code-point': codePoints,
  byte: text => Buffer.byteLength(text),
};

/** Where a range is, for formats that count from one. Without the source it is at the beginning. */
export function placeOf(source: SourceText | undefined, range: Range, unit: ColumnUnit): Place {
  if (!source) return { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const at = (offset: number) => {
    const { line, character } = source.positionAt(offset);
    const { start } = source.lineRange(line);
    return { line: line + 1, column: SIZES[unit](source.text.slice(start, start + character)) + 1 };
  };
  const start = at(range.start);
  const end = at(range.end);
  return { ...start, endLine: end.line, endColumn: end.column };
}

/** Without an array of them: a line may be the whole of a minified document. */
function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}
