import { lineStart, type Range, type TextEdit } from '@tollgate/diagnostics';
import type { DocumentNode, ListNode, MapEntryNode, MapNode } from '../document/model/document-node.ts';

/**
 * Returns an edit that removes each entry from its map, or undefined if that would break the document. Comments are kept,
 * in place or on a line of their own.
 */
export function removeEntries(
  document: string,
  map: MapNode,
  removed: readonly MapEntryNode[],
): readonly (TextEdit | undefined)[] {
  const nodes = { count: map.entries.length, rangeOf: (at: number) => entryRange(document, map.entries[at]!) };
  const indices = removed.map(one => map.entries.indexOf(one));
  const scalars = removed.flatMap(({ keyRange, value }) => [keyRange, ...scalarRanges(value, document)]);
  const place = { document, scalars };
  if (document[map.range.start] === '{') return indices.map(at => removeFromFlow(place, nodes, { at, indices }));
  return indices.map(at => removeLines(place, nodes.rangeOf(at), /^[ \t]*$/));
}

/** Returns an edit that removes each item from its list, like {@link removeEntries}. */
export function removeItems(
  document: string,
  list: ListNode,
  removed: readonly DocumentNode[],
): readonly (TextEdit | undefined)[] {
  const nodes = { count: list.items.length, rangeOf: (at: number) => list.items[at]!.range };
  const indices = removed.map(one => list.items.indexOf(one));
  const place = { document, scalars: removed.flatMap(one => scalarRanges(one, document)) };
  if (document[list.range.start] === '[') return indices.map(at => removeFromFlow(place, nodes, { at, indices }));
  return indices.map(at => removeLines(place, nodes.rangeOf(at), /^[ \t]*-[ \t]+$/));
}

/** A document with the ranges of keys and scalars in what is removed, in which `#` does not begin a comment. */
interface SourceScalars {
  readonly document: string;
  readonly scalars: readonly Range[];
}

/** The entries or items of a node. Their ranges are computed when needed: an edit reads at most three, and there may be thousands. */
interface Nodes {
  readonly count: number;
  readonly rangeOf: (at: number) => Range;
}

/** Returns the range from the key, including its quotes, to the end of the value. */
function entryRange(document: string, { keyRange, value }: MapEntryNode): Range {
  const isQuoted = /["']/.test(document[keyRange.start - 1] ?? '');
  return { start: keyRange.start - (isQuoted ? 1 : 0), end: Math.max(value.range.end, keyRange.end) };
}

/** Removes the following comma too; at the end, starts after the previous item, so that no two edits overlap. */
function removeFromFlow(
  place: SourceScalars,
  { count, rangeOf }: Nodes,
  { at, indices }: { readonly at: number; readonly indices: readonly number[] },
): TextEdit {
  const own = rangeOf(at);
  const isAtEnd = at + 1 === count || isRemovedAfter(at, count, indices);
  if (!isAtEnd) return flowEdit(place, { start: own.start, end: rangeOf(at + 1).start });
  return flowEdit(place, { start: at > 0 ? rangeOf(at - 1).end : own.start, end: own.end });
}

/** Returns true if all nodes from a position on are removed. */
function isRemovedAfter(at: number, length: number, indices: readonly number[]): boolean {
  // Each index is there once, so most answers need no search.
  if (indices.length < length - at) return false;
  const removed = new Set(indices);
  for (let index = at; index < length; index += 1) if (!removed.has(index)) return false;
  return true;
}

/** Keeps the comments of a range, each with its line break, and the indentation of the last line. */
function flowEdit(place: SourceScalars, range: Range): TextEdit {
  const { document } = place;
  const comments = commentsWithin(place, range);
  if (comments.length === 0) return { range, newText: '' };
  const text = document.slice(range.start, range.end);
  const indentation = blanksAt(text, text.lastIndexOf('\n') + 1);
  const lead = /\s/.test(document[range.start - 1]!) ? '' : ' ';
  return { range, newText: lead + comments.map(comment => comment + lineBreakIn(text) + indentation).join('') };
}

/** Removes whole lines, if only what `lead` allows comes before the node. */
function removeLines(place: SourceScalars, range: Range, lead: RegExp): TextEdit | undefined {
  const { document } = place;
  const lineOffset = lineStart(document, range.start);
  const before = document.slice(lineOffset, range.start);
  if (!lead.test(before)) return undefined;
  const contentEnd = range.start + document.slice(range.start, range.end).trimEnd().length;
  const lineEnd = document.indexOf('\n', contentEnd);
  if (!/^:?[ \t]*(?:#.*)?$/.test(document.slice(contentEnd, lineEnd < 0 ? undefined : lineEnd).trimEnd()))
    return undefined;
  const whole = { start: lineOffset, end: lineEnd < 0 ? document.length : lineEnd + 1 };
  const text = document.slice(whole.start, whole.end);
  const indentation = blanksAt(document, lineOffset);
  const kept = commentsWithin(place, whole).map(comment => indentation + comment + lineBreakIn(text));
  return { range: whole, newText: kept.join('') };
}

function blanksAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(at))![0];
}

function lineBreakIn(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function commentsWithin({ document, scalars }: SourceScalars, { start, end }: Range): readonly string[] {
  const found = [...document.slice(start, end).matchAll(/(?<![^\s,[\]{}])#[^\r\n]*/g)];
  const isInScalar = (at: number) => scalars.some(one => one.start <= at && at < one.end);
  return found.flatMap(({ 0: comment, index }) => (isInScalar(start + index) ? [] : [comment.trimEnd()]));
}

/** Returns the ranges in which `#` does not begin a comment. After `|` or `>`, the scalar begins on the next line. */
function scalarRanges(node: DocumentNode, document: string): readonly Range[] {
  switch (node.kind) {
    case 'list':
      return node.items.flatMap(one => scalarRanges(one, document));
    case 'map':
      return node.entries.flatMap(({ keyRange, value }) => [keyRange, ...scalarRanges(value, document)]);
    case 'scalar': {
      const isBlock = node.style === 'literal' || node.style === 'folded';
      const start = isBlock ? document.indexOf('\n', node.range.start) : node.range.start;
      return [{ start, end: node.range.end }];
    }
    case 'broken':
      return [];
  }
}
