import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapEntryNode, MapNode } from './document-node.ts';
import type { MappedText } from './mapped-text.ts';

/** Moves ranges that start at or after `from`. The target of an alias may come before it. */
export interface Shift {
  readonly by: number;
  readonly from: number;
}

/** Returns the range shifted. */
export function shiftRange(range: Range, { by, from }: Shift): Range {
  return range.start < from ? range : { start: range.start + by, end: range.end + by };
}

/** Returns the string with its ranges shifted. */
export function shiftString(text: MappedText, shift: Shift): MappedText {
  const pieces = text.pieces.map(({ from, to, range }) => ({ from, to, range: shiftRange(range, shift) }));
  return { value: text.value, pieces, range: shiftRange(text.range, shift) };
}

/** Returns the map with its ranges shifted. */
export function shiftMap(map: MapNode, shift: Shift): MapNode {
  const entries = map.entries.map(({ key, keyRange, value }) => ({
    key,
    keyRange: shiftRange(keyRange, shift),
    value: shiftNode(value, shift),
  }));
  return { kind: 'map', range: shiftRange(map.range, shift), entries };
}

/** Returns the node with its ranges shifted. */
export function shiftNode(node: DocumentNode, shift: Shift): DocumentNode {
  const range = shiftRange(node.range, shift);
  switch (node.kind) {
    case 'scalar': {
      const { kind, value, style, text } = node;
      return { kind, range, value, style, text: text && shiftString(text, shift) };
    }
    case 'list':
      return { kind: 'list', range, items: node.items.map(item => shiftNode(item, shift)) };
    case 'map':
      return shiftMap(node, shift);
    case 'broken':
      return { kind: 'broken', range };
  }
}

/** Nodes that replace an item of a list, and the shift of everything after it. */
export interface Replacement {
  readonly old: Range;
  /** At least one. */
  readonly nodes: readonly DocumentNode[];
  readonly shift: Shift;
}

/** Returns the tree with one item of a list replaced and all ranges after it shifted. */
export function replaceNode<T extends DocumentNode>(tree: T, replacement: Replacement): T;
export function replaceNode(tree: DocumentNode, replacement: Replacement): DocumentNode {
  const { old, nodes, shift } = replacement;
  if (tree.range.end < old.start) return tree;
  if (tree.range.start > old.end) return shiftNode(tree, shift);
  const range = {
    start: tree.range.start,
    end: tree.range.end === old.end ? nodes.at(-1)!.range.end : tree.range.end + shift.by,
  };
  if (tree.kind === 'list') {
    const isOld = ({ range: { start, end } }: DocumentNode) => start === old.start && end === old.end;
    return {
      ...tree,
      range,
      items: tree.items.flatMap(item => (isOld(item) ? nodes : replaceNode(item, replacement))),
    };
  }
  if (tree.kind === 'map') return { ...tree, range, entries: tree.entries.map(entry => replaceIn(entry, replacement)) };
  return tree;
}

function replaceIn({ key, keyRange, value }: MapEntryNode, replacement: Replacement): MapEntryNode {
  const isBehind = keyRange.start > replacement.old.end;
  return {
    key,
    keyRange: isBehind ? shiftRange(keyRange, replacement.shift) : keyRange,
    value: replaceNode(value, replacement),
  };
}
