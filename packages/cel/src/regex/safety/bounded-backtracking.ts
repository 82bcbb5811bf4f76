import { itemsOf, type PatternNode } from '../pattern/pattern.ts';
import { isDeterministic } from './determinism.ts';
import { firstSet, isNullable } from './first-set.ts';
import { sequenceCost } from './matching-cost.ts';

/** Steps on all ways to match, if each unbounded repetition had one length only. */
const MAX_STEPS = 200;
/** Unbounded repetitions that may be tried in combination: their number is the degree of the polynomial. */
const MAX_LOOPS = 3;

/**
 * Returns true if a backtracking engine spends at most a polynomial of low degree in the length of the input: no unbounded repetition matches
 * a string in two ways, and few follow one another.
 */
export function hasBoundedBacktracking(node: PatternNode): boolean {
  const loops = loopsIn(node);
  return loops <= MAX_LOOPS && sequenceCost(itemsOf(withoutLoops(node))).steps <= MAX_STEPS;
}

/** Infinite if a repetition may match in two ways. */
function loopsIn(node: PatternNode): number {
  switch (node.kind) {
    case 'concat':
      return node.items.reduce((sum, item) => sum + loopsIn(item), 0);
    case 'alternate':
      return Math.max(...node.branches.map(loopsIn));
    case 'repeat':
      if (node.max !== undefined) return node.max * loopsIn(node.body);
      return isUnambiguous(node.body) ? 1 : Number.POSITIVE_INFINITY;
    default:
      return 0;
  }
}

/** Whether a string is a sequence of matches of the node in at most one way. */
function isUnambiguous(node: PatternNode): boolean {
  const next: PatternNode = { kind: 'set', set: firstSet(node) };
  return !isNullable(node) && isDeterministic([...itemsOf(node), next]);
}

function withoutLoops(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'concat':
      return { kind: 'concat', items: node.items.map(withoutLoops) };
    case 'alternate':
      return { kind: 'alternate', branches: node.branches.map(withoutLoops) };
    case 'repeat':
      return node.max === undefined ? withoutLoops(node.body) : { ...node, body: withoutLoops(node.body) };
    default:
      return node;
  }
}
