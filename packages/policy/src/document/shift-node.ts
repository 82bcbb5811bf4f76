import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapEntryNode, MapNode } from './document-node.ts';
import type { MappedText } from './mapped-text.ts';

/** The same further on, or further back, in the document. */
export function shiftRange({ start, end }: Range, by: number): Range {
  return { start: start + by, end: end + by };
}

/** The same text elsewhere. */
export function shiftText(text: MappedText, by: number): MappedText {
  const pieces = text.pieces.map(({ from, to, range }) => ({ from, to, range: shiftRange(range, by) }));
  return { value: text.value, pieces, range: shiftRange(text.range, by) };
}

/** The same map elsewhere. */
export function shiftMap(map: MapNode, by: number): MapNode {
  const entries = map.entries.map(({ key, keyRange, value }) => ({
    key,
    keyRange: shiftRange(keyRange, by),
    value: shiftNode(value, by),
  }));
  return { kind: 'map', range: shiftRange(map.range, by), entries };
}

/** The same node elsewhere. */
export function shiftNode(node: DocumentNode, by: number): DocumentNode {
  const range = shiftRange(node.range, by);
  switch (node.kind) {
    case 'scalar': {
      const { kind, value, style, text } = node;
      return { kind, range, value, style, text: text && shiftText(text, by) };
    }
    case 'list':
      return { kind: 'list', range, items: node.items.map(item => shiftNode(item, by)) };
    case 'map':
      return shiftMap(node, by);
    case 'broken':
      return { kind: 'broken', range };
  }
}

/** A node that stands in place of another, which may be longer or shorter by some. */
export interface Replacement {
  readonly old: Range;
  readonly node: DocumentNode;
  readonly by: number;
}

/** The tree with one of its nodes replaced, and what is behind that elsewhere. */
export function replaceNode<T extends DocumentNode>(tree: T, replacement: Replacement): T;
export function replaceNode(tree: DocumentNode, replacement: Replacement): DocumentNode {
  const { old, node, by } = replacement;
  if (tree.range.end < old.start) return tree;
  if (tree.range.start > old.end) return shiftNode(tree, by);
  if (tree.range.start === old.start && tree.range.end === old.end) return node;
  const range = { start: tree.range.start, end: tree.range.end === old.end ? node.range.end : tree.range.end + by };
  if (tree.kind === 'list') return { ...tree, range, items: tree.items.map(item => replaceNode(item, replacement)) };
  if (tree.kind === 'map') return { ...tree, range, entries: tree.entries.map(entry => replaceIn(entry, replacement)) };
  return tree;
}

function replaceIn({ key, keyRange, value }: MapEntryNode, replacement: Replacement): MapEntryNode {
  const isBehind = keyRange.start > replacement.old.end;
  return {
    key,
    keyRange: isBehind ? shiftRange(keyRange, replacement.by) : keyRange,
    value: replaceNode(value, replacement),
  };
}
