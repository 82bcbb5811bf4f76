import type { Range, TextEdit } from '@tollgate/diagnostics';
import type { DocumentNode, ListNode, MapEntryNode, MapNode } from '../document/model/document-node.ts';

/** The edits that take entries out of their map; undefined for each where that would leave a broken document. */
export function removeEntries(
  document: string,
  map: MapNode,
  removed: readonly MapEntryNode[],
): readonly (TextEdit | undefined)[] {
  const ranges = map.entries.map(one => entryRange(document, one));
  const indices = removed.map(one => map.entries.indexOf(one));
  if (document[map.range.start] === '{') return indices.map(at => removeFromFlow(ranges, at, indices));
  return indices.map(at => removeLines(document, ranges[at]!, /^[ \t]*$/));
}

/** The edits that take items out of their list. */
export function removeItems(
  document: string,
  list: ListNode,
  removed: readonly DocumentNode[],
): readonly (TextEdit | undefined)[] {
  const ranges = list.items.map(one => one.range);
  const indices = removed.map(one => list.items.indexOf(one));
  if (document[list.range.start] === '[') return indices.map(at => removeFromFlow(ranges, at, indices));
  return indices.map(at => removeLines(document, ranges[at]!, /^[ \t]*-[ \t]+$/));
}

/** From the key, with its quotes, to the end of the value. */
function entryRange(document: string, { keyRange, value }: MapEntryNode): Range {
  const isQuoted = /["']/.test(document[keyRange.start - 1] ?? '');
  return { start: keyRange.start - (isQuoted ? 1 : 0), end: Math.max(value.range.end, keyRange.end) };
}

/** With the comma behind it; at the end, from what is left before it. */
function removeFromFlow(ranges: readonly Range[], at: number, removed: readonly number[]): TextEdit {
  const own = ranges[at]!;
  const next = ranges[at + 1];
  if (next) return { range: { start: own.start, end: next.start }, newText: '' };
  const kept = ranges.findLast((_, index) => index < at && !removed.includes(index));
  return { range: { start: kept?.end ?? own.start, end: own.end }, newText: '' };
}

/** Whole lines, where only what `lead` allows stands before it. A comment at the end of the last line goes with them. */
function removeLines(document: string, range: Range, lead: RegExp): TextEdit | undefined {
  const lineStart = document.lastIndexOf('\n', range.start - 1) + 1;
  if (!lead.test(document.slice(lineStart, range.start))) return undefined;
  const contentEnd = range.start + document.slice(range.start, range.end).trimEnd().length;
  const lineEnd = document.indexOf('\n', contentEnd);
  if (!/^:?[ \t]*(?:#.*)?$/.test(document.slice(contentEnd, lineEnd < 0 ? undefined : lineEnd).trimEnd()))
    return undefined;
  return { range: { start: lineStart, end: lineEnd < 0 ? document.length : lineEnd + 1 }, newText: '' };
}
