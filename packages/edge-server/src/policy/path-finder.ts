import { SourceText } from '@tollgate/diagnostics';
import type { Path } from '@tollgate/edge-api';
import { type DocumentNode, parseDocuments } from '@tollgate/policy';

/**
 * Returns a function for the path of the innermost value at an offset of a JSON document, or of the value whose key is there. The document
 * is parsed once; each path then takes logarithmic time per level.
 */
export function pathFinder(text: string): (offset: number) => Path {
  const [root] = parseDocuments(new SourceText('body.json', text));
  const children = new Map<DocumentNode, readonly LocatedValue[]>();
  const childrenOf = (node: DocumentNode): readonly LocatedValue[] => {
    const made = children.get(node) ?? childValues(node);
    children.set(node, made);
    return made;
  };
  return offset => {
    const path: PropertyKey[] = [];
    for (let place = root && lastBefore(childrenOf(root), offset); place; ) {
      const { range } = place.node;
      if (offset > range.end) break;
      path.push(place.key);
      if (offset < range.start) break;
      place = lastBefore(childrenOf(place.node), offset);
    }
    return path;
  };
}

/** A value, and where it starts, including its key. */
interface LocatedValue {
  readonly key: PropertyKey;
  readonly start: number;
  readonly node: DocumentNode;
}

function childValues(node: DocumentNode): readonly LocatedValue[] {
  if (node.kind === 'list') return node.items.map((item, key) => ({ key, start: item.range.start, node: item }));
  if (node.kind !== 'map') return [];
  const entries = node.entries.map(({ key, keyRange, value }) => ({ key, start: keyRange.start - 1, node: value }));
  return entries.toSorted((a, b) => a.start - b.start);
}

/** Returns the last place that starts at or before an offset. Places are in text order. */
function lastBefore(values: readonly LocatedValue[], offset: number): LocatedValue | undefined {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return values[low - 1];
}
