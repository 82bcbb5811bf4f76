import { type CharSet, intersects, union } from '../pattern/char-set.ts';
import type { PatternNode, RepeatNode } from '../pattern/pattern.ts';
import { firstSet, isNullable } from './first-set.ts';

/**
 * Returns true if a backtracking engine that matches the sequence from a given position never has more than one choice: the next character
 * always leaves at most one. It then spends bounded time on each character. Unbounded repetitions must repeat a single character set, which
 * V8 runs in constant space.
 */
export function isDeterministic(items: readonly PatternNode[]): boolean {
  return sequenceIsDeterministic(items, []);
}

/** @param follow the characters with which the rest may begin */
function sequenceIsDeterministic(items: readonly PatternNode[], follow: CharSet): boolean {
  let next = follow;
  for (const item of items.toReversed()) {
    if (!nodeIsDeterministic(item, next)) return false;
    next = isNullable(item) ? union(firstSet(item), next) : firstSet(item);
  }
  return true;
}

function nodeIsDeterministic(node: PatternNode, follow: CharSet): boolean {
  switch (node.kind) {
    case 'concat':
      return sequenceIsDeterministic(node.items, follow);
    case 'alternate':
      return choiceIsDeterministic(node.branches, follow);
    case 'repeat':
      return repeatIsDeterministic(node, follow);
    default:
      return true;
  }
}

function choiceIsDeterministic(branches: readonly PatternNode[], follow: CharSet): boolean {
  // Two empty branches are two ways to match nothing.
  if (branches.filter(isNullable).length > 1) return false;
  let taken: CharSet = branches.some(isNullable) ? follow : [];
  for (const branch of branches) {
    const first = firstSet(branch);
    if (intersects(first, taken) || !nodeIsDeterministic(branch, follow)) return false;
    taken = union(taken, first);
  }
  return true;
}

function repeatIsDeterministic({ body, min, max }: RepeatNode, follow: CharSet): boolean {
  if (max === 0) return true;
  if (isNullable(body)) return false;
  const first = firstSet(body);
  if (max !== min && intersects(first, follow)) return false;
  if (max === undefined) return body.kind === 'set';
  return nodeIsDeterministic(body, union(first, follow));
}
