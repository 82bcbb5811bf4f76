import type { CidrRange, IpAddress } from '@tollgate/cel';
import { ipToString, parseIp } from '@tollgate/cel/tooling';
import type { IntRange, IntSet } from './int-set.ts';

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
