import { type CharSet, union } from '../pattern/char-set.ts';
import type { PatternNode } from '../pattern/pattern.ts';

const NONE: CharSet = [];

/** Returns the characters with which a match of the node may begin. Assertions are skipped. */
export function firstSet(node: PatternNode): CharSet {
  switch (node.kind) {
    case 'set':
      return node.set;
    case 'alternate':
      return node.branches.map(firstSet).reduce(union);
    case 'repeat':
      return node.max === 0 ? NONE : firstSet(node.body);
    case 'concat':
      return firstOfSequence(node.items);
    default:
      return NONE;
  }
}

export function firstOfSequence(items: readonly PatternNode[]): CharSet {
  const end = items.findIndex(item => !isNullable(item));
  const relevant = end < 0 ? items : items.slice(0, end + 1);
  return relevant.map(firstSet).reduce(union, NONE);
}

/** Returns true if the node can match the empty string. */
export function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'set':
    case 'unicode-set':
      return false;
    case 'concat':
      return node.items.every(isNullable);
    case 'alternate':
      return node.branches.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
  }
}
