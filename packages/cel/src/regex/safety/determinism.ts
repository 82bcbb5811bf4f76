import { type CharSet, intersects, union } from '../pattern/char-set.ts';
import type { PatternNode, RepeatNode } from '../pattern/pattern.ts';
import { firstSet, isNullable } from './first-set.ts';

/**
 * Whether a backtracking engine that matches the sequence from a given place on never has two ways to go: at every choice
 * the next character leaves at most one. It then spends a bounded time on each character. Repetitions without an upper
 * bound must be of one set of characters (V8 runs those in constant space).
 */
export function isDeterministic(items: readonly PatternNode[]): boolean {
  return sequenceIsDeterministic(items, []);
}

/** @param follow the characters that what comes after may begin with */
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
  // Two empty branches are two ways to the same place.
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
