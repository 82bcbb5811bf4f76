import type { Range, TextEdit } from '@tollgate/diagnostics';
import type { DocumentNode, ListNode, MapEntryNode, MapNode } from '../document/document-node.ts';

/** The edit that takes an entry out of its map; undefined where that would leave a broken document. */
export function removeEntry(document: string, map: MapNode, entry: MapEntryNode): TextEdit | undefined {
  const ranges = map.entries.map(one => entryRange(document, one));
  const at = map.entries.indexOf(entry);
  if (document[map.range.start] === '{') return removeFromFlow(ranges, at);
  return removeLines(document, ranges[at]!, /^[ \t]*$/);
}

/** The edit that takes an item out of its list. */
export function removeItem(document: string, list: ListNode, item: DocumentNode): TextEdit | undefined {
  const at = list.items.indexOf(item);
  if (document[list.range.start] === '[')
    return removeFromFlow(
      list.items.map(one => one.range),
      at,
    );
  return removeLines(document, item.range, /^[ \t]*-[ \t]+$/);
}

/** From the key, with its quotes, to the end of the value. */
function entryRange(document: string, { keyRange, value }: MapEntryNode): Range {
  const isQuoted = /["']/.test(document[keyRange.start - 1] ?? '');
  return { start: keyRange.start - (isQuoted ? 1 : 0), end: Math.max(value.range.end, keyRange.end) };
}

/** With the comma behind it, or of the last the one before. */
function removeFromFlow(ranges: readonly Range[], at: number): TextEdit {
  const [before, own, next] = [ranges[at - 1], ranges[at]!, ranges[at + 1]];
  if (next) return { range: { start: own.start, end: next.start }, newText: '' };
  return { range: { start: before?.end ?? own.start, end: own.end }, newText: '' };
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
