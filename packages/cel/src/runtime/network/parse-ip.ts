import { CidrRange, IpAddress } from '../value.ts';

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;

/** Reads an IPv4 or IPv6 address; undefined for all else, zones, leading zeros and IPv4-mapped IPv6 addresses among it. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) return IPV4.test(text) ? new IpAddress(octetsOf(text)) : undefined;
  const bytes = parseIpv6(text);
  return bytes === undefined || isIpv4Mapped(bytes) ? undefined : new IpAddress(bytes);
}

function octetsOf(text: string): Uint8Array {
  return Uint8Array.from(text.split('.'), Number);
}

/** `::` stands for one group of zeros at least, and stands once. */
function parseIpv6(text: string): Uint8Array | undefined {
  // The longest address has 45 characters; what follows is then bounded.
  const halves = text.length > 45 ? [] : text.split('::');
  const [before, after] = halves.map(bytesOf);
  if (halves.length > 2 || before === undefined) return undefined;
  if (halves.length === 1) return before.length === 16 ? Uint8Array.from(before) : undefined;
  // An IPv4 address stands at the end only.
  if (after === undefined || halves[0]!.includes('.') || before.length + after.length > 14) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(before);
  bytes.set(after, 16 - after.length);
  return bytes;
}

/** The bytes of groups between colons, the last of which may be an IPv4 address. */
function bytesOf(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (GROUP.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else if (index === groups.length - 1 && IPV4.test(group)) bytes.push(...octetsOf(group));
    else return undefined;
  }
  return bytes;
}

function isIpv4Mapped(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 10).every(byte => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

/** Reads an address and a prefix length; undefined for all else. */
export function parseCidr(text: string): CidrRange | undefined {
  const slash = text.lastIndexOf('/');
  const ip = parseIp(text.slice(0, Math.max(0, slash)));
  const length = text.slice(slash + 1);
  if (ip === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return Number(length) <= ip.bytes.length * 8 ? new CidrRange(ip, Number(length)) : undefined;
}
