import { type CidrRange, parseIp } from '@tollgate/cel';
import { isAsked, type Question } from '../solver/formula/simple-test.ts';

// Most rules have nothing to do with each other. What shows that is one made-up input, for which conditions need not be read in full:
// it is enough to see of most of their parts what they ask. The rest of a condition may be anything.

/** What an input, or a part of it, is in a made-up world; of lists their size, of questions that are not looked into their answer. */
export type MadeUp = string | number | boolean;

/** A condition as far as it is easily seen what it asks. */
export type Sketch =
  | Leaf
  /** Looked at as a whole: the body of a function. */
  | { readonly kind: 'all' | 'any' | 'whole'; readonly parts: readonly Sketch[] }
  | { readonly kind: 'not'; readonly part: Sketch }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'unknown' };

/** One thing that is asked of one value. */
export interface Leaf {
  readonly kind: 'leaf';
  /** Equal for leaves about the same value; values with different keys have nothing to do with each other. */
  readonly key: string;
  /** Of the input that it reads; undefined where it may read several. */
  readonly path: string | undefined;
  /** What must be in a map for there to be a value, as the key of a leaf that asks for that. */
  readonly needed: string | undefined;
  /** The value where nothing is said: one that conditions do not ask for. */
  readonly initial: MadeUp;
  readonly asks: Asks;
  /** Keys about the same list as this one: once a world has a value for one of them, the answer is not known. */
  readonly apart?: readonly string[];
}

export type Asks =
  | { readonly kind: 'truth' }
  | (Question & { readonly kind: 'value' | 'size' })
  | { readonly kind: 'address'; readonly within: CidrRange | undefined }
  | PatternAsks;

/** Whether a string matches a regular expression. */
export interface PatternAsks {
  readonly kind: 'pattern';
  readonly test: (text: string) => boolean;
  /** A string that matches; undefined where none was thought of. */
  readonly sample: string | undefined;
  /** Strings one of which every match has, at its start or anywhere; undefined where there is no telling. */
  readonly literals: readonly PatternLiteral[] | undefined;
}

/** A string that a match begins with, or has. */
export interface PatternLiteral {
  readonly test: 'prefix' | 'part';
  readonly text: string;
}

/** What values are that are not as they are initially. */
export type World = Map<string, MadeUp>;

// What a condition may come to in a world; bits.
export const TRUE = 1;
export const FALSE = 2;
export const FAILS = 4;

/** What a condition may come to, whatever is not known of it. */
export function outcomesIn(world: World, sketch: Sketch): number {
  switch (sketch.kind) {
    case 'leaf':
      return outcomeOfLeaf(world, sketch);
    case 'not':
      return swapped(outcomesIn(world, sketch.part));
    case 'any':
      return swapped(outcomesOfAll(world, sketch.parts, true));
    case 'constant':
      return sketch.holds ? TRUE : FALSE;
    case 'unknown':
      return TRUE | FALSE | FAILS;
    default:
      return outcomesOfAll(world, sketch.parts, false);
  }
}

function outcomesOfAll(world: World, parts: readonly Sketch[], isSwapped: boolean): number {
  let found = TRUE;
  for (const part of parts) {
    const seen = outcomesIn(world, part);
    const own = isSwapped ? swapped(seen) : seen;
    if (own === FALSE) return FALSE;
    const fails = ((found & FAILS) !== 0 && own !== FALSE) || ((own & FAILS) !== 0 && found !== FALSE);
    found = (found & own & TRUE) | ((found | own) & FALSE) | (fails ? FAILS : 0);
  }
  return found;
}

function swapped(outcomes: number): number {
  return (outcomes & FAILS) | ((outcomes & TRUE) << 1) | ((outcomes & FALSE) >> 1);
}

function outcomeOfLeaf(world: World, { needed, key, initial, asks, apart }: Leaf): number {
  if (apart?.some(one => world.has(one))) return TRUE | FALSE | FAILS;
  if (needed !== undefined && world.get(needed) !== true) return FAILS;
  return outcomeFor(asks, world.get(key) ?? initial);
}

/** What the answer is for a value. */
export function outcomeFor(asks: Asks, value: MadeUp): number {
  switch (asks.kind) {
    case 'truth':
      return value === true ? TRUE : FALSE;
    case 'value':
      return isAsked(asks, value as string | number) !== asks.isNegated ? TRUE : FALSE;
    case 'size': {
      const size = typeof value === 'string' ? [...value].length : (value as number);
      return isAsked(asks, size) !== asks.isNegated ? TRUE : FALSE;
    }
    case 'address': {
      const ip = parseIp(String(value));
      if (asks.within === undefined) return ip === undefined ? FALSE : TRUE;
      if (ip === undefined) return FAILS;
      return isWithin(ip.bytes, asks.within) ? TRUE : FALSE;
    }
    case 'pattern':
      return asks.test(String(value)) ? TRUE : FALSE;
  }
}

function isWithin(bytes: Uint8Array, { ip, prefixLength }: CidrRange): boolean {
  if (bytes.length !== ip.bytes.length) return false;
  for (let bit = 0; bit < prefixLength; bit += 8) {
    const mask = (0xff << Math.max(0, 8 - (prefixLength - bit))) & 0xff;
    if (((bytes[bit >> 3]! ^ ip.bytes[bit >> 3]!) & mask) !== 0) return false;
  }
  return true;
}
