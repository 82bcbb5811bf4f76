import { expect, it } from 'vitest';
import { parseCidr } from '../runtime/network.ts';
import { AddressIndex, Merge, thresholdsOf } from './index-tree.ts';

const RANGES = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '0.0.0.0/0',
  '10.1.2.3/32',
  '2001:db8::/33',
  '::/0',
  '10.99.0.0/16',
  '10.255.0.0/9',
];
const INDEX = new AddressIndex(RANGES.map(range => parseCidr(range)!));

it.each([
  ['10.1.2.3', ['10.0.0.0/8', '10.1.0.0/16', '0.0.0.0/0', '10.1.2.3/32']],
  ['10.200.0.1', ['10.0.0.0/8', '0.0.0.0/0', '10.255.0.0/9']],
  ['255.255.255.255', ['0.0.0.0/0']],
  ['2001:db8:7fff::', ['2001:db8::/33', '::/0']],
  ['2001:db8:8000::', ['::/0']],
])('finds the ranges that hold %s', (address, expected) => {
  const out: number[] = [];
  expect(INDEX.find(address, out)).toBe(true);
  expect(new Set(out.map(position => RANGES[position]))).toEqual(new Set(expected));
});

it('returns false for a string that is not an address', () => {
  expect(INDEX.find('10.0.0', [])).toBe(false);
});

function drain(merge: Merge): readonly number[] {
  const all: number[] = [];
  for (let next = merge.next(); next !== undefined; next = merge.next()) all.push(next);
  return all;
}

it('merges lists in ascending order, with thresholds that a number passes', () => {
  const merge = new Merge();
  merge.add({ positions: Int32Array.of(3, 9, 50) });
  merge.add({ positions: Int32Array.of(1, 4) });
  // 40 thresholds 0, 10, 20 …, at the positions 100, 101, 102 …
  const positions = Int32Array.from({ length: 40 }, (_, index) => 100 + index);
  const bounds = Float64Array.from({ length: 40 }, (_, index) => (index * 70) % 400);
  const passed = [...bounds].flatMap((bound, index) => (bound <= 30 ? [100 + index] : []));
  merge.add({ positions, thresholds: thresholdsOf(bounds, true) }, 30);
  expect(drain(merge)).toEqual([1, 3, 4, 9, 50, ...passed]);
  expect(passed.length).toBe(4);
});

it('returns a candidate of several lists once', () => {
  const merge = new Merge();
  merge.add({ positions: Int32Array.of(2, 2, 7) });
  merge.add({ positions: Int32Array.of(1, 2, 7, 8) });
  expect(drain(merge)).toEqual([1, 2, 7, 8]);
});

it.each([
  [true, 5, [0, 1]],
  [false, 5, [0]],
  [true, Number.NaN, []],
])('passes an equal bound only if it is inclusive: %s', (inclusive, number, expected) => {
  const merge = new Merge();
  merge.add(
    { positions: Int32Array.of(0, 1, 2), thresholds: thresholdsOf(Float64Array.of(4, 5, 6), inclusive) },
    number,
  );
  expect(drain(merge)).toEqual(expected);
});

it('starts over when it is cleared', () => {
  const merge = new Merge();
  merge.add({ positions: Int32Array.of(1) });
  merge.clear();
  expect(drain(merge)).toEqual([]);
});
