import type { Range } from '../diagnostic.ts';
import { utf8ToBytes } from '../portable.ts';
import type { SourceText } from '../source-text.ts';

/** One-based lines and columns of a range; the end is exclusive. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Columns count UTF-16 code units, code points or bytes of UTF-8: formats differ. */
type ColumnUnit = 'utf-16' | 'code-point' | 'byte';

const SIZES: Readonly<Record<ColumnUnit, (text: string) => number>> = {
  'utf-16': text => text.length,
  'code-point': codePoints,
  byte: text => utf8ToBytes(text).length,
};

/** Returns the location of a range, one-based; without the source, the start of the file. */
export function locationOf(source: SourceText | undefined, range: Range, unit: ColumnUnit): SourceLocation {
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

/** Counts without allocating: a whole minified document may be on one line. */
function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}

/**
 * Returns a path for other programs: relative if it is below the working directory, without `./`, and with slashes on
 * Windows, which is recognized by a drive or share in the working directory.
 */
export function shownPath(uri: string, directory: string | undefined): string {
  const isWindows = directory !== undefined && /^(?:[a-z]:|\\\\)/i.test(directory);
  const slashed = (path: string) => (isWindows ? path.replaceAll('\\', '/') : path);
  const path = slashed(uri);
  const above = directory === undefined ? undefined : slashed(directory).replace(/\/*$/, '/');
  const inside = above !== undefined && path.startsWith(above) ? path.slice(above.length) : path;
  return inside.replace(/^(?:\.\/+)+(?=[^/])/, '');
}
