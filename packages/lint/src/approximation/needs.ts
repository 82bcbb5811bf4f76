import type { CidrRange } from '@tollgate/cel';
import type { AbstractCondition, Leaf } from './abstract-condition.ts';

/** A test of one value that must be true. */
export interface Need {
  /** Key of the value, as in {@link Leaf}. */
  readonly key: string;
  /** `bits`: prefix of the bits of an address; `any`: the assignment has the value. */
  readonly test: 'equal' | 'prefix' | 'suffix' | 'part' | 'bits' | 'true' | 'any';
  readonly literal: string | number;
  /** The value without an assignment. */
  readonly defaultValue: Leaf['defaultValue'];
}

/** At least one of these must be met; if there are none, the condition never holds. */
export type Needs = readonly Need[];

/** Returns lists of needs; each must be met for the condition to have the result `wanted`. Empty if nothing is known. */
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

/** Joins the shortest list of each part. */
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
  const own = requiredTests(leaf, wanted)?.map(one => ({ ...one, key, defaultValue }));
  const unknown = conflictingKeys.map(one => ({ key: one, test: 'any' as const, literal: '', defaultValue: false }));
  const present: Need[] =
    requiredKey === undefined ? [] : [{ key: requiredKey, test: 'true', literal: '', defaultValue: false }];
  return [...(own ? [[...own, ...unknown]] : []), ...(present.length > 0 ? [[...present, ...unknown]] : [])];
}

/** Returns the tests of which one must be true; undefined if they cannot be looked up. */
function requiredTests({ predicate }: Leaf, wanted: boolean): readonly Pick<Need, 'test' | 'literal'>[] | undefined {
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

/** Returns the bits of an address after a digit for its version. */
export function bitsOf(bytes: Uint8Array): string {
  return `${bytes.length === 4 ? '4' : '6'}${Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')}`;
}
