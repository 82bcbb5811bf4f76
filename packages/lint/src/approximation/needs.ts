import type { CidrRange } from '@tollgate/cel';
import type { AbstractCondition, Leaf } from './abstract-condition.ts';

/** Something that must be so of one value. */
export interface Need {
  /** Of the value, as in {@link Leaf}. */
  readonly key: string;
  /** `bits`: the bits of an address begin so; `any`: a assignment says something about the value. */
  readonly test: 'equal' | 'prefix' | 'suffix' | 'part' | 'bits' | 'true' | 'any';
  readonly literal: string | number;
  /** What the value is where nothing is said. */
  readonly defaultValue: Leaf['defaultValue'];
}

/** Needs of which one at least must be met. None: it never holds. */
export type Needs = readonly Need[];

/** Lists of needs, one of each of which must be met where the condition holds; empty where nothing is known to be requiredKey. */
export function needsOf(condition: AbstractCondition, wanted = true): readonly Needs[] {
  switch (condition.kind) {
    case 'leaf':
      return needsOfLeaf(condition, wanted);
    case 'not':
      return needsOf(condition.part, !wanted);
    case 'constant':
      return condition.holds === wanted ? [] : [[]];
    case 'unknown':
      return [];
    default: {
      const parts = condition.parts.map(part => needsOf(part, wanted));
      return (condition.kind !== 'any') === wanted ? parts.flat() : oneOf(parts);
    }
  }
}

/** What is shortest of each. */
function oneOf(parts: readonly (readonly Needs[])[]): readonly Needs[] {
  const joined: Need[] = [];
  for (const lists of parts) {
    const [first, ...rest] = lists;
    if (first === undefined) return [];
    joined.push(...rest.reduce((best, one) => (one.length < best.length ? one : best), first));
  }
  return [joined];
}

function needsOfLeaf(leaf: Leaf, wanted: boolean): readonly Needs[] {
  const { key, requiredKey, defaultValue, conflictingKeys = [] } = leaf;
  const own = asked(leaf, wanted)?.map(one => ({ ...one, key, defaultValue }));
  const unknown = conflictingKeys.map(one => ({ key: one, test: 'any' as const, literal: '', defaultValue: false }));
  const present: Need[] =
    requiredKey === undefined ? [] : [{ key: requiredKey, test: 'true', literal: '', defaultValue: false }];
  return [...(own ? [[...own, ...unknown]] : []), ...(present.length > 0 ? [[...present, ...unknown]] : [])];
}

/** What one of must be so of the value; undefined where that cannot be looked up. */
function asked({ predicate }: Leaf, wanted: boolean): readonly Pick<Need, 'test' | 'literal'>[] | undefined {
  switch (predicate.kind) {
    case 'truth':
      return wanted ? [{ test: 'true', literal: '' }] : undefined;
    case 'value': {
      const { test, literals, isNegated } = predicate;
      if (isNegated === wanted || test === 'below' || test === 'above') return undefined;
      return literals.map(literal => ({ test, literal }));
    }
    case 'pattern':
      return wanted ? predicate.literals?.map(({ test, text }) => ({ test, literal: text })) : undefined;
    case 'address':
      return wanted && predicate.within ? [{ test: 'bits', literal: bitsOfRange(predicate.within) }] : undefined;
    case 'size':
      return undefined;
  }
}

function bitsOfRange({ ip, prefixLength }: CidrRange): string {
  return bitsOf(ip.bytes).slice(0, 1 + prefixLength);
}

/** The bits of an address, after a character that tells the versions conflictingKeys. */
export function bitsOf(bytes: Uint8Array): string {
  return `${bytes.length === 4 ? '4' : '6'}${Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')}`;
}
