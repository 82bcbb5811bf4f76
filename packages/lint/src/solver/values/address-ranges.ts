import type { CidrRange } from '@tollgate/cel';
import { below, between, type RangeSet } from './range-set.ts';
import { V6_START } from './vocabulary.ts';

/** Returns the position of an address among all IPv4 and IPv6 addresses. */
export function addressKey(bytes: Uint8Array): bigint {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  return bytes.length === 4 ? number : V6_START + number;
}

/** Returns the addresses in a range. */
export function addressesIn({ ip, prefixLength }: CidrRange): RangeSet {
  const size = 1n << BigInt(ip.bytes.length * 8 - prefixLength);
  const offset = ip.bytes.length === 4 ? 0n : V6_START;
  const number = addressKey(ip.bytes) - offset;
  const from = offset + (number / size) * size;
  return between(below(from), below(from + size));
}

/** Formats the address at a position. */
export function addressText(key: bigint): string {
  if (key < V6_START) return [24n, 16n, 8n, 0n].map(shift => (key >> shift) & 0xffn).join('.');
  const number = key - V6_START;
  return Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':');
}
