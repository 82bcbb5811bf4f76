import type { TextEdit } from '@tollgate/diagnostics';

/** Returns the edits in document order; at equal starts, insertions come first. */
export function sortEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** Returns the text with all edits applied. They must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { range, newText } of sortEdits(edits)) {
    result += text.slice(at, range.start) + newText;
    at = range.end;
  }
  return result + text.slice(at);
}

/** Maps an offset of the edited text to the original; inside inserted text, to the start of the edit. */
export function offsetBefore(edits: readonly TextEdit[], offset: number): number {
  let shift = 0;
  for (const { range, newText } of sortEdits(edits)) {
    const start = range.start + shift;
    if (offset < start) break;
    if (offset < start + newText.length) return range.start;
    shift += newText.length - (range.end - range.start);
  }
  return offset - shift;
}
