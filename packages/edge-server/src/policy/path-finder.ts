import type { Path } from '@tollgate/edge-api';
import { isCollection, isMap, isPair, isScalar, isSeq, type Node, parseDocument } from 'yaml';

/**
 * Returns a function for the path of the innermost value at an offset of a JSON document, or of the value whose key is there. The document
 * is parsed once; each path then takes logarithmic time per level.
 */
export function pathFinder(text: string): (offset: number) => Path {
  const root = toPlace(undefined, parseDocument(text).contents);
  const children = new Map<Place, readonly Place[]>();
  const childrenOf = (place: Place): readonly Place[] => {
    const made = children.get(place) ?? childPlaces(place.node);
    children.set(place, made);
    return made;
  };
  return offset => {
    const path: PropertyKey[] = [];
    for (let place = root && lastBefore(childrenOf(root), offset); place; ) {
      if (offset > place.end) break;
      path.push(place.key!);
      if (offset < place.valueStart) break;
      place = lastBefore(childrenOf(place), offset);
    }
    return path;
  };
}

/** A value and its range, which includes its key. */
interface Place {
  readonly key: PropertyKey | undefined;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
  readonly node: Node | null;
}

function toPlace(key: PropertyKey | undefined, node: Node | null, start?: number): Place | undefined {
  const range = node?.range;
  if (!range) return undefined;
  return { key, start: start ?? range[0], valueStart: range[0], end: range[1], node };
}

function childPlaces(node: Node | null): readonly Place[] {
  if (!isCollection(node)) return [];
  if (isSeq(node)) return node.items.flatMap((item, index) => toPlace(index, item as Node) ?? []);
  if (!isMap(node)) return [];
  return node.items.flatMap(pair => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    return toPlace(String(pair.key.value), pair.value as Node | null, pair.key.range?.[0]) ?? [];
  });
}

/** Returns the last place that starts at or before an offset. Places are in text order. */
function lastBefore(places: readonly Place[], offset: number): Place | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return places[low - 1];
}
