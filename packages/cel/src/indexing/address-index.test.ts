import { expect, it } from 'vitest';
import { parseCidr } from '../runtime/network/parse-ip.ts';
import { AddressIndex } from './address-index.ts';

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
