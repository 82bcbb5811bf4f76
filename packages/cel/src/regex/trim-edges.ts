import { alternate, concat, EMPTY, itemsOf, type PatternNode } from './pattern/pattern.ts';

type Edge = 'start' | 'end';

/**
 * The pattern without what does not matter to whether a text has a match somewhere: at its edges repetitions need no more
 * than their least number, since the rest of the text is anything. `[0-9]+x` matches where `[0-9]x` does.
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
      // A branch that is empty matches wherever another one does.
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
  // What is nothing at the edge is nothing again behind that.
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
