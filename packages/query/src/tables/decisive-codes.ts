/**
 * Which of the codes that tell all answers apart are needed to tell classes of records: usually few conditions, because all groups that occur are
 * known.
 */
import type { Code } from './question-groups.ts';

/** A group of records by its codes, and what is to be told of it. */
export interface ClassifiedCodes {
  readonly codes: readonly number[];
  readonly class: number;
}

/** What is needed of a code. */
export interface DecisiveCode {
  /** Which code it is. */
  readonly at: number;
  readonly size: number;
  readonly sqlOf: (code: Code) => string;
  /** Returns the value from that of the whole code. */
  readonly valueIn: (value: number) => number;
}

/** A bit of a code, what it says beyond its bits, or all of it. */
interface Feature {
  readonly at: number;
  /** Undefined for values beyond the bits, or if there are none. */
  readonly bit: number | undefined;
  readonly valueIn: (value: number) => number;
  /** How long it takes, about. */
  readonly cost: number;
}

/** Returns what of the codes is needed to tell the classes of the groups: nothing can be left out, but fewer may suffice. */
export function decisiveCodes(all: readonly Code[], groups: readonly ClassifiedCodes[]): readonly DecisiveCode[] {
  const varied = all.flatMap(featuresOf).filter(({ at, valueIn }) => {
    const first = groups[0] && valueIn(groups[0].codes[at]!);
    return groups.some(({ codes }) => valueIn(codes[at]!) !== first);
  });
  const needed = new Set(varied);
  const values = (of: Feature) => groups.map(({ codes }) => keyPart(of, of.valueIn(codes[of.at]!)));
  let keys = groups.map(() => 0);
  const add = (feature: Feature, sign: number) => {
    const own = values(feature);
    keys = keys.map((key, at) => (key + sign * own[at]! + MODULUS) % MODULUS);
  };
  for (const feature of varied) add(feature, 1);
  for (const feature of [...varied].sort((one, other) => other.cost - one.cost)) {
    add(feature, -1);
    if (areTold(keys, groups)) needed.delete(feature);
    else add(feature, 1);
  }
  return all.flatMap((code, at) => {
    const own = [...needed].filter(feature => feature.at === at);
    return own.length === 0 ? [] : decisiveCode(code, own);
  });
}

function featuresOf({ sql, size, bits }: Code, at: number): readonly Feature[] {
  if (bits === undefined) return size <= 1 ? [] : [{ at, bit: undefined, valueIn: value => value, cost: 0 }];
  const end = 2 ** bits.count;
  const ofBits = Array.from({ length: bits.count }, (_, bit) => ({
    ...{ at, bit, cost: sql.length },
    valueIn: (value: number) => (value < end ? Math.floor(value / 2 ** bit) % 2 : 0),
  }));
  return [...ofBits, { at, bit: undefined, cost: 1, valueIn: value => Math.max(0, value - end + 1) }];
}

/**
 * Keys are sums of numbers as if drawn, below this; three of them are exact. Where different groups have the same key, more is kept than needed.
 */
const MODULUS = 2 ** 51;

function keyPart({ at, bit = 32 }: Feature, value: number): number {
  const [high, low] = [0x9e3779b1, 0x85ebca6b].map(factor => {
    const mixed = Math.imul(Math.imul(at * 33 + bit + 1, factor) ^ Math.imul(value + 1, 0xc2b2ae35), 0x27d4eb2f);
    return Math.imul(mixed ^ (mixed >>> 15), factor) >>> 0;
  });
  return (high! % 2 ** 19) * 2 ** 32 + low!;
}

/** Whether groups of different classes have different keys. */
function areTold(keys: readonly number[], groups: readonly ClassifiedCodes[]): boolean {
  const classes = new Map<number, number>();
  return keys.every((key, at) => {
    const own = groups[at]!.class;
    const known = classes.get(key) ?? own;
    classes.set(key, known);
    return known === own;
  });
}

function decisiveCode({ size, bits }: Code, features: readonly Feature[]): DecisiveCode {
  const [{ at }] = features as [Feature];
  if (bits === undefined) return { at, size, sqlOf: ({ sql }) => sql, valueIn: value => value };
  const own = features.flatMap(({ bit }) => bit ?? []);
  const others = features.find(({ bit }) => bit === undefined);
  const end = 2 ** own.length;
  return {
    at,
    size: end + (others ? size - 2 ** bits.count : 0),
    sqlOf: code => code.bits!.only(own, others !== undefined),
    valueIn: value => {
      const other = others?.valueIn(value) ?? 0;
      if (other > 0) return end + other - 1;
      return features.reduce(
        (sum, { bit, valueIn }, place) => sum + (bit === undefined ? 0 : valueIn(value) * 2 ** place),
        0,
      );
    },
  };
}
