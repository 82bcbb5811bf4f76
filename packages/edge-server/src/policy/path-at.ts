import type { Path } from '@tollgate/edge-api';
import { isCollection, isMap, isPair, isScalar, isSeq, type Node, parseDocument } from 'yaml';

/** Returns the path of the innermost value at an offset of a JSON document, or of the value whose key is there. */
export function pathAt(text: string, offset: number): Path {
  const path: PropertyKey[] = [];
  let node: Node | null = parseDocument(text).contents;
  while (isCollection(node)) {
    const next: Step | undefined = stepInto(node, offset);
    if (!next) break;
    path.push(next.key);
    node = next.node;
  }
  return path;
}

interface Step {
  readonly key: PropertyKey;
  readonly node: Node | null;
}

function stepInto(node: Node, offset: number): Step | undefined {
  if (isSeq(node)) {
    const index = node.items.findIndex(item => holds(item, offset));
    return index < 0 ? undefined : { key: index, node: node.items[index] as Node };
  }
  if (!isMap(node)) return undefined;
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue;
    const value = pair.value as Node | null;
    if (holds(pair.key, offset)) return { key: String(pair.key.value), node: null };
    if (holds(value, offset)) return { key: String(pair.key.value), node: value };
  }
  return undefined;
}

function holds(node: unknown, offset: number): boolean {
  const { range } = (node ?? {}) as Partial<Node>;
  return range !== undefined && range !== null && range[0] <= offset && offset <= range[1];
}
