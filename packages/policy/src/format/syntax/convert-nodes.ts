import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, ListNode, MapEntryNode, MapNode, ScalarNode } from '../../document/model/document-node.ts';
import type { SourceLines } from './source-lines.ts';
import type { Comment, Slot, SyntaxCollection, SyntaxDocument, SyntaxNode, SyntaxScalar } from './syntax-tree.ts';

/** A document without anchors, tags and merged maps, as `readFastPath` reads it. */
interface PlainDocument {
  readonly root: DocumentNode;
  readonly comments: readonly Range[];
}

/** Returns the syntax of a document whose values are known already. */
export function convertNodes(lines: SourceLines, { root, comments }: PlainDocument): SyntaxDocument {
  return {
    directives: [],
    marker: undefined,
    root: convert(lines, root),
    comments: comments.map(({ start, end }) => commentAt(lines, start, lines.text.slice(start, end))),
  };
}

/** Returns a comment with its place. */
export function commentAt(lines: SourceLines, start: number, source: string): Comment {
  const before = lines.text.slice(start - lines.columnOf(start), start);
  const isOwnLine = /^\ufeff?[ \t]*$/.test(before);
  return { start, text: source.trimEnd(), isOwnLine, hasBlankBefore: lines.hasBlankBefore(start) };
}

const NO_PROPERTIES = { anchor: undefined, tag: undefined };

/** Undefined for an omitted value. */
function convert(lines: SourceLines, node: DocumentNode): SyntaxNode | undefined {
  if (node.kind === 'broken') return undefined;
  if (node.kind === 'scalar') return scalarOf(lines.text, node);
  return node.kind === 'list' ? convertList(lines, node) : convertMap(lines, node);
}

function scalarOf(text: string, { range, style, text: mapped }: ScalarNode): SyntaxScalar | undefined {
  const { start, end } = range;
  if (start === end) return undefined;
  const source = text.slice(start, end);
  return { kind: 'scalar', style, value: mapped?.value ?? source, source, ...NO_PROPERTIES, start, end };
}

function convertList(lines: SourceLines, { range, items }: ListNode): SyntaxCollection {
  const isFlow = lines.text[range.start] === '[';
  const column = lines.columnOf(range.start);
  const slots = items.map(
    (item, index): Slot =>
      isFlow ? flowItem(lines, item) : blockItem(lines, item, index === 0 ? range.start : dashOf(lines, item, column)),
  );
  const end = isFlow ? range.end : slots.at(-1)!.end;
  return { kind: 'list', isFlow, slots, ...NO_PROPERTIES, start: range.start, end };
}

function blockItem(lines: SourceLines, item: DocumentNode, start: number): Slot {
  const value = convert(lines, item);
  return { key: undefined, value, start, end: value?.end ?? start + 1, hasBlankBefore: lines.hasBlankBefore(start) };
}

/** The dash of an item is in the column of the list, on the line of its value or on a line above. */
function dashOf({ text }: SourceLines, { range }: DocumentNode, column: number): number {
  let lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  for (;;) {
    const dash = lineStart + column;
    if (text[dash] === '-' && dash < range.start && isBlank(text, lineStart, dash)) return dash;
    lineStart = text.lastIndexOf('\n', lineStart - 2) + 1;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text[at] !== ' ') return false;
  return true;
}

/** `[a: b]` is a list of one map. */
function flowItem(lines: SourceLines, item: DocumentNode): Slot {
  if (item.kind === 'map' && lines.text[item.range.start] !== '{') {
    const [entry] = item.entries;
    const slot = slotOf(lines, entry!);
    const { start, end } = slot;
    return {
      ...slot,
      key: undefined,
      value: { kind: 'map', isFlow: true, slots: [slot], ...NO_PROPERTIES, start, end },
    };
  }
  const value = convert(lines, item);
  const { start, end } = item.range;
  return { key: undefined, value, start, end, hasBlankBefore: lines.hasBlankBefore(start) };
}

function convertMap(lines: SourceLines, { range, entries }: MapNode): SyntaxCollection {
  const isFlow = lines.text[range.start] === '{';
  const slots = entries.map(entry => slotOf(lines, entry));
  const end = isFlow ? range.end : slots.at(-1)!.end;
  return { kind: 'map', isFlow, slots, ...NO_PROPERTIES, start: range.start, end };
}

function slotOf(lines: SourceLines, entry: MapEntryNode): Slot {
  const key = keyOf(lines.text, entry);
  const value = convert(lines, entry.value) ?? emptyBefore(lines.text, entry.value.range.start);
  const end = value?.end ?? colonBefore(lines.text, entry.value.range.start) + 1;
  return { key, value, start: key.start, end, hasBlankBefore: lines.hasBlankBefore(key.start) };
}

function keyOf(text: string, { key: value, keyRange }: MapEntryNode): SyntaxScalar {
  const quote = text[keyRange.start - 1];
  const style = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain';
  const by = style === 'plain' ? 0 : 1;
  const [start, end] = [keyRange.start - by, keyRange.end + by];
  return { kind: 'scalar', style, value, source: text.slice(start, end), ...NO_PROPERTIES, start, end };
}

/** Before a comma, the YAML library reads a value without characters. */
function emptyBefore(text: string, at: number): SyntaxScalar | undefined {
  if (text[at] !== ',') return undefined;
  return { kind: 'scalar', style: 'plain', value: '', source: '', ...NO_PROPERTIES, start: at, end: at };
}

/** An omitted value is placed after the spaces that follow the colon. */
function colonBefore(text: string, before: number): number {
  let at = before - 1;
  while (text[at] === ' ') at -= 1;
  return at;
}
