import { alternate, concat, EMPTY, itemsOf, type PatternNode } from './pattern/pattern.ts';

type Edge = 'start' | 'end';

/**
 * Returns the pattern without the parts at its edges that do not affect whether some part of a string matches: there, repetitions need only
 * their minimum, since the rest of the string is arbitrary. `[0-9]+x` matches where `[0-9]x` does.
 */
export function trimEdges(node: PatternNode): PatternNode {
  return trimEdge(trimEdge(node, 'start'), 'end');
}

function trimEdge(node: PatternNode, edge: Edge): PatternNode {
  switch (node.kind) {
    case 'concat':
      return trimSequence(node.items, edge);
    case 'alternate': {
      const branches = node.branches.map(branch => trimEdge(branch, edge));
      // An empty branch matches wherever another one does.
      return branches.some(({ kind }) => kind === 'empty') ? EMPTY : alternate(branches);
    }
    case 'repeat':
      return trimRepeat(node.body, node.min, edge);
    default:
      return node;
  }
}

function trimRepeat(body: PatternNode, min: number, edge: Edge): PatternNode {
  const once = trimEdge(body, edge);
  // What matches nothing at the edge matches nothing after that, either.
  if (min === 0 || once.kind === 'empty') return EMPTY;
  return min === 1 ? once : { kind: 'repeat', body, min, max: min };
}

function trimSequence(items: readonly PatternNode[], edge: Edge): PatternNode {
  const rest = [...items];
  while (rest.length > 0) {
    const outermost = trimEdge(edge === 'start' ? rest.shift()! : rest.pop()!, edge);
    if (outermost.kind === 'empty') continue;
    return concat(edge === 'start' ? [...itemsOf(outermost), ...rest] : [...rest, ...itemsOf(outermost)]);
  }
  return EMPTY;
}
