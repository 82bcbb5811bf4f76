import type { CidrRange } from '@tollgate/cel';
import { OTHER_TEXTS, valuesToPass } from '../solver/formula/simple-test.ts';
import {
  FALSE,
  type Leaf,
  type MadeUp,
  outcomeFor,
  outcomesIn,
  type PatternAsks,
  type Sketch,
  TRUE,
  type World,
} from './abstract-condition.ts';

/** A condition, and whether it is to be true or false. */
export type Wish = readonly [sketch: Sketch, wanted: boolean];

/** A world in which all wishes certainly come true; undefined where none was found, which says nothing. */
export function worldWith(wishes: readonly Wish[]): World | undefined {
  const world: World = new Map();
  return steerAll(world, wishes) ? world : undefined;
}

/** Changes a world so that wishes come true. False where that did not work out. */
export function steerAll(world: World, wishes: readonly Wish[]): boolean {
  for (const [sketch, wanted] of wishes) if (!steer(world, sketch, wanted)) return false;
  // What was done for one may have spoiled another.
  return wishes.every(([sketch, wanted]) => outcomesIn(world, sketch) === (wanted ? TRUE : FALSE));
}

function steer(world: World, sketch: Sketch, wanted: boolean): boolean {
  switch (sketch.kind) {
    case 'leaf':
      return steerLeaf(world, sketch, wanted);
    case 'not':
      return steer(world, sketch.part, !wanted);
    case 'constant':
      return sketch.holds === wanted;
    case 'unknown':
      return false;
    default:
      return (sketch.kind !== 'any') === wanted
        ? sketch.parts.every(part => steer(world, part, wanted))
        : steerOne(world, sketch.parts, wanted);
  }
}

/** One that has come to it already, or the first that can be made to. */
function steerOne(world: World, parts: readonly Sketch[], wanted: boolean): boolean {
  const outcome = wanted ? TRUE : FALSE;
  return parts.some(part => outcomesIn(world, part) === outcome) || parts.some(part => steer(world, part, wanted));
}

function steerLeaf(world: World, leaf: Leaf, wanted: boolean): boolean {
  const outcome = wanted ? TRUE : FALSE;
  if (leaf.needed !== undefined) world.set(leaf.needed, true);
  const before = world.get(leaf.key);
  if (outcomeFor(leaf.asks, before ?? leaf.initial) === outcome) {
    // So that it stays so.
    world.set(leaf.key, before ?? leaf.initial);
    return true;
  }
  const value = valuesFor(leaf, wanted, before).find(one => outcomeFor(leaf.asks, one) === outcome);
  if (value === undefined) return false;
  world.set(leaf.key, value);
  return true;
}

/** Texts that are longer are not made. */
const MAX_SIZE = 256;

function valuesFor({ asks, initial }: Leaf, wanted: boolean, before: MadeUp | undefined): readonly MadeUp[] {
  switch (asks.kind) {
    case 'truth':
      return [wanted];
    case 'value':
      return valuesToPass(asks, wanted, before);
    case 'size': {
      const [first] = asks.literals as readonly [number];
      const sizes = [first, first + 1, first - 1].filter(size => size >= 0);
      if (typeof initial !== 'string') return sizes;
      return sizes.filter(size => size <= MAX_SIZE).map(size => '~'.repeat(size));
    }
    case 'address':
      return asks.within && wanted ? [addressIn(asks.within)] : ADDRESSES;
    case 'pattern':
      return wanted ? matching(asks, before) : OTHER_TEXTS;
  }
}

/** Built on what was tried before, too. */
function matching({ sample }: PatternAsks, before: MadeUp | undefined): readonly string[] {
  if (sample === undefined) return typeof before === 'string' ? [before] : [];
  return typeof before === 'string' ? [sample, `${before}${sample}`, `${sample}${before}`] : [sample];
}

/** Of networks for documentation, and no address at all. */
const ADDRESSES = ['192.0.2.1', '198.51.100.1', '2001:db8::1', '~'] as const;

function addressIn({ ip: { bytes } }: CidrRange): string {
  if (bytes.length === 4) return bytes.join('.');
  return Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16)).join(':');
}
