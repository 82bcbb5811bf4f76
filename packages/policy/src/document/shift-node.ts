import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapNode } from './document-node.ts';
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

function shiftNode(node: DocumentNode, by: number): DocumentNode {
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
