// Sets of integers. Addresses and doubles are integers, too: both have an order without gaps.

import type { CidrRange, IpAddress } from '@tollgate/cel';
import { ipToString, parseIp } from '@tollgate/cel/tooling';

/** Integers as disjoint ascending ranges; both ends are included. */
export type IntSet = readonly IntRange[];

/** Inclusive. */
export type IntRange = readonly [first: bigint, last: bigint];

/** The integers of CEL. */
export const INT64: IntRange = [-(2n ** 63n), 2n ** 63n - 1n];

/** Contains every value of every cell of integers: doubles and moments too. */
export const ANY_INTEGER: IntRange = [-(2n ** 80n), 2n ** 80n];

/** Returns the range, or no integer if it is empty. */
export function between(first: bigint, last: bigint): IntSet {
  return first > last ? [] : [[first, last]];
}

/** Returns the integers in any of the ranges. */
export function unionOf(ranges: readonly IntRange[]): IntSet {
  const merged: [bigint, bigint][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1n) merged.push([first, last]);
    else if (last > before[1]) before[1] = last;
  }
  return merged;
}

/** Returns the integers in both sets. */
export function intersect(a: IntSet, b: IntSet): IntSet {
  const found: IntRange[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const first = larger(a[i]![0], b[j]![0]);
    const last = smaller(a[i]![1], b[j]![1]);
    if (first <= last) found.push([first, last]);
    if (a[i]![1] < b[j]![1]) i++;
    else j++;
  }
  return found;
}

function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

function smaller(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}

/** Returns the integers of a range that are not in the set. */
export function complement(set: IntSet, [first, last]: IntRange): IntSet {
  const found: IntRange[] = [];
  let from = first;
  for (const [low, high] of set) {
    if (low > from) found.push([from, low - 1n < last ? low - 1n : last]);
    if (high + 1n > from) from = high + 1n;
    if (from > last) return found;
  }
  found.push([from, last]);
  return found;
}

/** Returns true if the set contains the integer. */
export function includes(set: IntSet, value: bigint): boolean {
  return set.some(([first, last]) => first <= value && value <= last);
}

/** Returns a string that is equal for equal sets. */
export function keyOf(set: IntSet): string {
  return set.map(([first, last]) => `${first}-${last}`).join();
}

/** Returns the positions of sets that together leave nothing of the first range, chosen greedily; undefined if something is left. */
export function emptyTogether(sets: readonly IntSet[], [first, last]: IntRange): readonly number[] | undefined {
  const gaps = sets
    .flatMap((set, at) => complement(set, [first, last]).map(([low, high]) => ({ low, high, at })))
    .sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0));
  const used = new Set<number>();
  let from = first;
  for (let next = 0; from <= last; ) {
    let best: (typeof gaps)[number] | undefined;
    for (; next < gaps.length && gaps[next]!.low <= from; next++) {
      const gap = gaps[next]!;
      if (best === undefined || gap.high > best.high || (gap.high === best.high && used.has(gap.at))) best = gap;
    }
    if (best === undefined || best.high < from) return undefined;
    used.add(best.at);
    from = best.high + 1n;
  }
  return [...used].sort((a, b) => a - b);
}

// Addresses as integers: -1 stands for every string that is not an address, then follow all IPv4 and all IPv6 addresses.

/** Stands for strings that are not addresses. */
export const NO_ADDRESS = -1n;
const V4_END = 2n ** 32n;
const V6_START = 2n ** 40n;

/** All IPv4 addresses. */
export const V4: IntRange = [0n, V4_END - 1n];
/** All IPv6 addresses. */
export const V6: IntRange = [V6_START, V6_START + 2n ** 128n - 1n];
/** All strings, by the address that they are. */
export const ANY_STRING: IntSet = [[NO_ADDRESS, V4[1]], V6];
/** Numbers from the first to the last; those in between stand for nothing. */
export const ADDRESS_LINE: IntRange = [NO_ADDRESS, V6[1]];

/** Returns the number of an address. */
function numberOfAddress({ bytes }: IpAddress): bigint {
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return bytes.length === 4 ? value : V6_START + value;
}

/** Returns the number of the address that a string is. */
export function addressNumber(text: string): bigint {
  const ip = parseIp(text);
  return ip === undefined ? NO_ADDRESS : numberOfAddress(ip);
}

/** Returns the addresses of a range. */
export function addressesIn({ ip, prefixLength }: CidrRange): IntRange {
  const size = 2n ** BigInt(ip.bytes.length * 8 - prefixLength);
  const base = ip.bytes.length === 4 ? 0n : V6_START;
  const first = ((numberOfAddress(ip) - base) / size) * size + base;
  return [first, first + size - 1n];
}

/** Returns the canonical form of a numbered address. */
export function addressString(number: bigint): string {
  const isV4 = number < V4_END;
  const length = isV4 ? 4 : 16;
  let rest = isV4 ? number : number - V6_START;
  const bytes = new Uint8Array(length);
  for (let at = length - 1; at >= 0; at--) {
    bytes[at] = Number(rest % 256n);
    rest /= 256n;
  }
  return isV4 ? bytes.join('.') : ipToString({ bytes });
}

// The finite and infinite doubles in order are consecutive integers, so that sets of doubles are sets of integers. Both zeros are 0.

/** Returns the position of a double; of a NaN, {@link NAN}. */
export function positionOf(value: number): bigint {
  if (Number.isNaN(value)) return NAN;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const magnitude = view.getBigUint64(0);
  return value < 0 ? -magnitude : magnitude;
}

/** Returns the double at a position. */
export function doubleAt(position: bigint): number {
  if (position === NAN) return Number.NaN;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, position < 0n ? -position : position);
  const magnitude = view.getFloat64(0);
  return position < 0n ? -magnitude : magnitude;
}

/** Stands for all values that are not numbers; they equal nothing and are not ordered. */
export const NAN = 2n ** 64n;

const INFINITE = positionOf(Number.POSITIVE_INFINITY);

/** All doubles. */
export const DOUBLES: IntSet = [
  [-INFINITE, INFINITE],
  [NAN, NAN],
];
