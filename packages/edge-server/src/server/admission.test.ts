import { expect, it } from 'vitest';
import { networkOf } from './admission.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts the wrong keys of `%s` under `%s`', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
