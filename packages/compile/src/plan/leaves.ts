import type { Condition } from './condition.ts';

/** A condition without parts. */
export type Leaf = Exclude<Condition, { readonly kind: 'and' | 'or' | 'not' | 'holds' | 'choice' }>;

/** Returns the leaves of a condition from left to right. */
export function leavesOf(condition: Condition): readonly Leaf[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(leavesOf);
    case 'not':
    case 'holds':
      return leavesOf(condition.part);
    case 'choice':
      return [condition.test, condition.yes, condition.no].flatMap(leavesOf);
    default:
      return [condition];
  }
}
