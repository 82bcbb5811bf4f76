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

/** Which part of a text was replaced, and the length of what is there now. */
export interface Replaced {
  readonly range: OffsetRange;
  readonly length: number;
}

/** Returns the part that two edits replace, the second of which was made in the result of the first. */
export function joinReplaced(first: Replaced | undefined, second: Replaced): Replaced {
  if (!first) return second;
  const start = Math.min(first.range.start, second.range.start);
  const between = Math.max(first.range.start + first.length, second.range.end);
  const end = between - first.length + (first.range.end - first.range.start);
  return { range: { start, end }, length: between + second.length - (second.range.end - second.range.start) - start };
}
