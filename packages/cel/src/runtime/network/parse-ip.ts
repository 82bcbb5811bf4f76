import { CidrRange, IpAddress } from '../../values/value.ts';

const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;

/**
 * Parses an IPv4 or IPv6 address; undefined for anything else, such as zones and leading zeros. An IPv4-mapped IPv6 address in hexadecimal
 * is the IPv4 address (the conformance suite's `ipv4_equals_ipv6`); one with a dotted part is rejected (`parse_invalid_ipv4_in_ipv6`).
 */
export function parseIp(text: string): IpAddress | undefined {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  return bytes && new IpAddress(new Uint8Array(bytes));
}

function parseIpv4(text: string): readonly number[] | undefined {
  const address = ipv4Number(text);
  return address < 0 ? undefined : [address >>> 24, (address >>> 16) & 0xff, (address >>> 8) & 0xff, address & 0xff];
}

/**
 * Returns an IPv4 address as an unsigned 32-bit number; -1 for any other string. Parsing digit by digit is several times as fast as
 * splitting, and policies parse an address per request.
 */
export function ipv4Number(text: string): number {
  const { length } = text;
  if (length > 15) return -1;
  let [address, byte, bytes] = [0, -1, 0];
  for (let i = 0; i <= length; i++) {
    const unit = i < length ? text.charCodeAt(i) : POINT;
    if (unit === POINT) {
      if (byte < 0) return -1;
      address = address * 256 + byte;
      bytes++;
      byte = -1;
    } else {
      const digit = unit - ZERO;
      // A leading zero must be the only digit.
      if (digit < 0 || digit > 9 || byte === 0) return -1;
      byte = byte < 0 ? digit : byte * 10 + digit;
      if (byte > 255) return -1;
    }
  }
  return bytes === 4 ? address : -1;
}

const ZERO = 0x30;
const POINT = 0x2e;

/** `::` replaces at least one zero group and occurs at most once. */
function parseIpv6(text: string): readonly number[] | undefined {
  // The longest address has 45 characters; this bounds the work that follows.
  const halves = text.length > 45 ? [] : text.split('::');
  const [before, after] = halves.map(bytesOf);
  if (halves.length > 2 || before === undefined) return undefined;
  if (halves.length === 1) return before.length === 16 ? unmapped(before, text) : undefined;
  // An IPv4 address may come only last.
  if (after === undefined || halves[0]!.includes('.') || before.length + after.length > 14) return undefined;
  return unmapped([...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after], text);
}

/** Returns the bytes of the groups between colons; the last one may be an IPv4 address. */
function bytesOf(text: string): readonly number[] | undefined {
  const bytes: number[] = [];
  if (text === '') return bytes;
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    const value = Number.parseInt(group, 16);
    const isLast = index === groups.length - 1;
    const part = GROUP.test(group) ? [value >> 8, value & 0xff] : isLast ? parseIpv4(group) : undefined;
    if (part === undefined) return undefined;
    bytes.push(...part);
  }
  return bytes;
}

/** Returns the IPv4 address of a mapped one, unless it was written with a dotted part; other addresses unchanged. */
function unmapped(bytes: readonly number[], text: string): readonly number[] | undefined {
  const isMapped = bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));
  if (!isMapped) return bytes;
  return text.includes('.') ? undefined : bytes.slice(12);
}

/** Parses an address and a prefix length; undefined for anything else, including IPv4-mapped IPv6 addresses. */
export function parseCidr(text: string): CidrRange | undefined {
  const slash = text.lastIndexOf('/');
  const ip = parseIp(text.slice(0, Math.max(0, slash)));
  const length = text.slice(slash + 1);
  const isMapped = ip?.bytes.length === 4 && text.includes(':');
  if (ip === undefined || isMapped || !PREFIX_LENGTH.test(length)) return undefined;
  return Number(length) <= ip.bytes.length * 8 ? new CidrRange(ip, Number(length)) : undefined;
}
