import type { CidrRange } from '@tollgate/cel';
import type { Leaf, Sketch } from './abstract-condition.ts';

/** Something that must be so of one value. */
export interface Need {
  /** Of the value, as in {@link Leaf}. */
  readonly key: string;
  /** `bits`: the bits of an address begin so; `any`: a world says something about the value. */
  readonly test: 'equal' | 'prefix' | 'suffix' | 'part' | 'bits' | 'true' | 'any';
  readonly literal: string | number;
  /** What the value is where nothing is said. */
  readonly initial: Leaf['initial'];
}

/** Needs of which one at least must be met. None: it never holds. */
export type Needs = readonly Need[];

/** Lists of needs, one of each of which must be met where the condition holds; empty where nothing is known to be needed. */
export function needsOf(sketch: Sketch, wanted = true): readonly Needs[] {
  switch (sketch.kind) {
    case 'leaf':
      return needsOfLeaf(sketch, wanted);
    case 'not':
      return needsOf(sketch.part, !wanted);
    case 'constant':
      return sketch.holds === wanted ? [] : [[]];
    case 'unknown':
      return [];
    default: {
      const parts = sketch.parts.map(part => needsOf(part, wanted));
      return (sketch.kind !== 'any') === wanted ? parts.flat() : oneOf(parts);
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
  const { key, needed, initial, apart = [] } = leaf;
  const own = asked(leaf, wanted)?.map(one => ({ ...one, key, initial }));
  const unknown = apart.map(one => ({ key: one, test: 'any' as const, literal: '', initial: false }));
  const present: Need[] = needed === undefined ? [] : [{ key: needed, test: 'true', literal: '', initial: false }];
  return [...(own ? [[...own, ...unknown]] : []), ...(present.length > 0 ? [[...present, ...unknown]] : [])];
}

/** What one of must be so of the value; undefined where that cannot be looked up. */
function asked({ asks }: Leaf, wanted: boolean): readonly Pick<Need, 'test' | 'literal'>[] | undefined {
  switch (asks.kind) {
    case 'truth':
      return wanted ? [{ test: 'true', literal: '' }] : undefined;
    case 'value': {
      const { test, literals, isNegated } = asks;
      if (isNegated === wanted || test === 'below' || test === 'above') return undefined;
      return literals.map(literal => ({ test, literal }));
    }
    case 'pattern':
      return wanted ? asks.literals?.map(({ test, text }) => ({ test, literal: text })) : undefined;
    case 'address':
      return wanted && asks.within ? [{ test: 'bits', literal: bitsOfRange(asks.within) }] : undefined;
    case 'size':
      return undefined;
  }
}

function bitsOfRange({ ip, prefixLength }: CidrRange): string {
  return bitsOf(ip.bytes).slice(0, 1 + prefixLength);
}

/** The bits of an address, after a character that tells the versions apart. */
export function bitsOf(bytes: Uint8Array): string {
  return `${bytes.length === 4 ? '4' : '6'}${Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')}`;
}
