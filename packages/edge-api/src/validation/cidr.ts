import { isIP, SocketAddress } from 'node:net';

/** Returns true if the string is an IP address with a valid prefix length. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const version = isIP(text.slice(0, Math.max(slash, 0)));
  const length = text.slice(slash + 1);
  return version !== 0 && /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bitsOf(version);
}

/** Returns true if no host bits of the range are set, or if the string is not a range. */
export function isLowestAddress(text: string): boolean {
  if (!isCidr(text)) return true;
  const { value, host } = parts(text);
  return (value & ((1n << host) - 1n)) === 0n;
}

/** Returns the range with its host bits cleared. */
export function lowestAddress(text: string): string {
  const { value, host, version, length } = parts(text);
  return `${written((value >> host) << host, version)}/${length}`;
}

/** Returns the range that contains only this address. */
export function withMask(text: string): string {
  const version = isIP(text);
  return version === 0 ? '10.0.0.0/8' : `${text}/${bitsOf(version)}`;
}

function bitsOf(version: number): number {
  return version === 6 ? 128 : 32;
}

function parts(text: string) {
  const [address, length] = text.split('/') as [string, string];
  const version = isIP(address);
  return { version, length, host: BigInt(bitsOf(version) - Number(length)), value: numberOf(address, version) };
}

function numberOf(address: string, version: number): bigint {
  const groups = version === 4 ? address.split('.').map(Number) : groupsOf(address);
  const width = version === 4 ? 8n : 16n;
  return groups.reduce((value, group) => (value << width) | BigInt(group), 0n);
}

/** Returns the eight groups of an IPv6 address, with `::` and a trailing IPv4 address expanded. */
function groupsOf(address: string): readonly number[] {
  const tail = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = tail === null ? address : address.slice(0, tail.index) + hexTail(tail.slice(1, 5).map(Number));
  const [left = '', right] = plain.replace(/%.*$/, '').split('::');
  const head = left === '' ? [] : left.split(':');
  const end = right === undefined || right === '' ? [] : right.split(':');
  const gap = Array.from({ length: 8 - head.length - end.length }, () => '0');
  return [...head, ...(right === undefined ? [] : gap), ...end].map(group => Number.parseInt(group, 16));
}

function hexTail([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function written(value: bigint, version: number): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map(shift => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 65_535n).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}
