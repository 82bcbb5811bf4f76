import { isSingle } from './pattern/char-set.ts';
import { itemsOf, type PatternNode } from './pattern/pattern.ts';

/** A pattern that is a plain string search: anywhere, at the start, at the end, or the whole string. */
export interface LiteralPattern {
  readonly kind: 'literal' | 'prefix' | 'suffix' | 'equals';
  readonly text: string;
}

const KINDS = { literal: 'literal', start: 'prefix', end: 'suffix', both: 'equals' } as const;

/** Returns the string search that a trimmed pattern is equivalent to; undefined if there is none. */
export function literalPattern(node: PatternNode): LiteralPattern | undefined {
  const items = [...itemsOf(node)];
  const atStart = dropAssertions(items, 'text-start');
  const atEnd = dropAssertions(items.reverse(), 'text-end');
  let text = '';
  for (const item of items.reverse()) {
    if (item.kind !== 'set' || !isSingle(item.set)) return undefined;
    text += String.fromCodePoint(item.set[0]!);
  }
  // An unpaired surrogate would match half of a character.
  if (!text.isWellFormed()) return undefined;
  return { kind: KINDS[atStart ? (atEnd ? 'both' : 'start') : atEnd ? 'end' : 'literal'], text };
}

function dropAssertions(items: PatternNode[], what: 'text-start' | 'text-end'): boolean {
  const count = items.findIndex(item => item.kind !== 'assertion' || item.what !== what);
  const dropped = items.splice(0, count < 0 ? items.length : count);
  return dropped.length > 0;
}
