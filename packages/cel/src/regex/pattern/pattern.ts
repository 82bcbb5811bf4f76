import type { CharSet } from './char-set.ts';

/** A regular expression as far as it affects whether a string matches; captures are left out. */
export type PatternNode =
  | { readonly kind: 'empty' }
  /** One code point of a set. A literal character is a set of one. */
  | { readonly kind: 'set'; readonly set: CharSet }
  /** One code point of a set that only the RE2 engine knows: Unicode properties, case folding beyond ASCII. */
  | { readonly kind: 'unicode-set' }
  | { readonly kind: 'assertion'; readonly what: Assertion }
  | { readonly kind: 'concat'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternate'; readonly branches: readonly PatternNode[] }
  | RepeatNode;

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: PatternNode;
  readonly min: number;
  /** Undefined if there is no upper bound. */
  readonly max: number | undefined;
}

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary';

export const EMPTY: PatternNode = { kind: 'empty' };

export function concat(items: readonly PatternNode[]): PatternNode {
  const flat = items.flatMap(item => (item.kind === 'concat' ? item.items : item.kind === 'empty' ? [] : [item]));
  if (flat.length === 0) return EMPTY;
  return flat.length === 1 ? flat[0]! : { kind: 'concat', items: flat };
}

export function alternate(branches: readonly PatternNode[]): PatternNode {
  return branches.length === 1 ? branches[0]! : { kind: 'alternate', branches };
}

/** Returns the items of a sequence; any other node is its own only item. */
export function itemsOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'concat') return node.items;
  return node.kind === 'empty' ? [] : [node];
}
