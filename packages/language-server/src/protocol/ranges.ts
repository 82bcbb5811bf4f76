import type { TextEdit as OffsetEdit, Range as OffsetRange, SourceText } from '@tollgate/diagnostics';
import type { Range, TextEdit } from 'vscode-languageserver-types';

/** Converts a range of offsets to lines and characters. */
export function toRange(source: SourceText, { start, end }: OffsetRange): Range {
  return { start: source.positionAt(start), end: source.positionAt(end) };
}

/** Converts lines and characters to a range of offsets. */
export function toOffsets(source: SourceText, { start, end }: Range): OffsetRange {
  return { start: source.offsetAt(start), end: source.offsetAt(end) };
}

/** Converts an edit. */
export function toTextEdit(source: SourceText, { range, newText }: OffsetEdit): TextEdit {
  return { range: toRange(source, range), newText };
}

/** Returns the edit that turns one text into the other by replacing what lies between their common prefix and suffix. */
export function singleEdit(before: string, after: string): OffsetEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  return { range: { start, end: before.length - same }, newText: after.slice(start, after.length - same) };
}
