// IP addresses and ranges: parsing, printing and containment.

import { INVALID_CIDR, INVALID_IP } from '../values/errors.ts';
import { CidrRange, type EvaluationError, IpAddress } from '../values/value.ts';
import type { RunContext } from './context.ts';

/**
 * Parses an IPv4 or IPv6 address; undefined for anything else, such as zones and leading zeros. An IPv4-mapped IPv6 address in hexadecimal
 * is the IPv4 address (the conformance suite's `ipv4_equals_ipv6`); one with a dotted part is rejected (`parse_invalid_ipv4_in_ipv6`).
 */
export function parseIp(text: string): IpAddress | undefined {
  const bytes = bytesOfIp(text);
  return bytes && new IpAddress(new Uint8Array(bytes));
}

/** Returns the bytes of an address as {@link parseIp} does, without an object for it. */
export function bytesOfIp(text: string): readonly number[] | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): readonly number[] | undefined {
  const address = ipv4Number(text);
  return address < 0 ? undefined : [address >>> 24, (address >>> 16) & 0xff, (address >>> 8) & 0xff, address & 0xff];
}

/**
 * Returns an IPv4 address as an unsigned 32-bit number; -1 for any other string. Parsing digit by digit is several times as fast as
 * splitting, and policies parse an address per request.
 */
function ipv4Number(text: string): number {
  const { length } = text;
  if (length > 15) return -1;
  let address = 0;
  let byte = -1;
  let bytes = 0;
  for (let i = 0; i <= length; i++) {
    const unit = i < length ? text.charCodeAt(i) : POINT;
    if (unit === POINT) {
      if (byte < 0) return -1;
      address = (address << 8) | byte;
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
  return bytes === 4 ? address >>> 0 : -1;
}

const ZERO = 0x30;
const POINT = 0x2e;

/**
 * `::` replaces at least one zero group and occurs at most once; the last group may be an IPv4 address. Parsing unit by unit into one list is
 * many times as fast as splitting.
 */
function parseIpv6(text: string): readonly number[] | undefined {
  const { length } = text;
  // The longest address has 45 characters.
  if (length > 45) return undefined;
  const bytes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let [count, gap, value, digits, start] = [0, -1, 0, 0, 0];
  for (let i = 0; i <= length; i++) {
    const unit = i < length ? text.charCodeAt(i) : COLON;
    if (unit === POINT) return withIpv4(bytes, text, { count, gap, start });
    if (unit !== COLON) {
      const digit = hexDigit(unit);
      if (digit < 0 || ++digits > 4) return undefined;
      value = value * 16 + digit;
      continue;
    }
    if (digits > 0) {
      if (count === 16) return undefined;
      bytes[count++] = value >> 8;
      bytes[count++] = value & 0xff;
    }
    if (i === length) break;
    const isDouble = text.charCodeAt(i + 1) === COLON;
    if (isDouble ? gap >= 0 || (digits === 0 && i > 0) : digits === 0 || i + 1 === length) return undefined;
    if (isDouble) {
      gap = count;
      i++;
    }
    [value, digits, start] = [0, 0, i + 1];
  }
  return unmapped(filled(bytes, count, gap), text);
}

const COLON = 0x3a;

function hexDigit(unit: number): number {
  if (unit >= ZERO && unit <= 0x39) return unit - ZERO;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** What was read of an address before the IPv4 address at its end, which begins at `start`. */
interface Read {
  readonly count: number;
  readonly gap: number;
  readonly start: number;
}

function withIpv4(bytes: number[], text: string, { count, gap, start }: Read): readonly number[] | undefined {
  const last = ipv4Number(text.slice(start));
  if (last < 0 || count > 12) return undefined;
  for (let i = 0; i < 4; i++) bytes[count + i] = (last >>> (24 - 8 * i)) & 0xff;
  return unmapped(filled(bytes, count + 4, gap), text);
}

/** Makes room for the zeros of `::` at the offset `gap`, in place. */
function filled(bytes: number[], count: number, gap: number): readonly number[] | undefined {
  if (gap < 0 || count > 14) return gap < 0 && count === 16 ? bytes : undefined;
  const zeros = 16 - count;
  for (let i = 15; i >= gap; i--) bytes[i] = i >= gap + zeros ? bytes[i - zeros]! : 0;
  return bytes;
}

/** Returns the IPv4 address of a mapped one, unless it was written with a dotted part; other addresses unchanged. */
function unmapped(bytes: readonly number[] | undefined, text: string): readonly number[] | undefined {
  // Few addresses begin with zeros.
  if (bytes === undefined || bytes[0] !== 0) return bytes;
  const isMapped = bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));
  if (!isMapped) return bytes;
  return text.includes('.') ? undefined : bytes.slice(12);
}

/** Parses an address and a prefix length; undefined for anything else, including IPv4-mapped IPv6 addresses. */
export function parseCidr(text: string): CidrRange | undefined {
  const slash = text.lastIndexOf('/');
  const bytes = bytesOfIp(text.slice(0, Math.max(0, slash)));
  const length = prefixLengthIn(text, slash + 1);
  const isMapped = bytes?.length === 4 && text.includes(':');
  if (bytes === undefined || isMapped || length < 0 || length > bytes.length * 8) return undefined;
  return new CidrRange(new IpAddress(new Uint8Array(bytes)), length);
}

/** Returns the number of up to three digits, without leading zeros, at the end of a string; -1 for anything else. */
function prefixLengthIn(text: string, start: number): number {
  const { length } = text;
  if (start === length || length - start > 3 || (text.charCodeAt(start) === ZERO && length - start > 1)) return -1;
  let value = 0;
  for (let i = start; i < length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

export function stringToIp(text: string): IpAddress | EvaluationError {
  return parseIp(text) ?? INVALID_IP;
}

export function isIp(context: RunContext, text: string): boolean {
  return lastBytesOfIp(context, text) !== undefined;
}

export function isCanonicalIp(text: string): boolean | EvaluationError {
  const ip = parseIp(text);
  return ip === undefined ? INVALID_IP : ipToString(ip) === text;
}

/** Returns the canonical form (RFC 5952): the first of the longest runs of at least two zero groups becomes `::`. */
export function ipToString({ bytes }: IpAddress): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  const text = groups.join(':');
  let longest: RegExpExecArray | undefined;
  for (const run of text.matchAll(ZERO_RUN)) if (run[0].length > (longest?.[0].length ?? 0)) longest = run;
  if (longest === undefined) return text;
  return `${text.slice(0, Math.max(0, longest.index - 1))}::${text.slice(longest.index + longest[0].length + 1)}`;
}

const ZERO_RUN = /(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g;

export function familyOfIp({ bytes }: IpAddress): number {
  return bytes.length === 4 ? 4 : 6;
}

export function isUnspecifiedIp({ bytes }: IpAddress): boolean {
  return bytes.every(byte => byte === 0);
}

export function isLoopbackIp({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes[15] === 1 && bytes.subarray(0, 15).every(byte => byte === 0);
}

/** `169.254.0.0/16` or `fe80::/10`. */
export function isLinkLocalUnicastIp({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
}

/** `224.0.0.0/24`, or `ff02::/16` with any flags. */
export function isLinkLocalMulticastIp({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && (bytes[1]! & 0x0f) === 0x02;
}

export function isGlobalUnicastIp(ip: IpAddress): boolean {
  return !(isUnspecifiedIp(ip) || isLoopbackIp(ip) || isLinkLocalUnicastIp(ip) || isMulticast(ip) || isBroadcast(ip));
}

function isMulticast({ bytes }: IpAddress): boolean {
  return bytes.length === 4 ? bytes[0]! >> 4 === 14 : bytes[0] === 0xff;
}

function isBroadcast({ bytes }: IpAddress): boolean {
  return bytes.length === 4 && bytes.every(byte => byte === 255);
}

/** No address is longer, and clients may supply the string. */
const MAX_LENGTH = 45;

/** Returns what {@link bytesOfIp} does. Remembers the last address, because a policy compares that of a client with one range after the other. */
export function lastBytesOfIp(context: RunContext, text: string): readonly number[] | undefined {
  const { lastIp } = context;
  if (lastIp !== undefined && lastIp.text === text) return lastIp.bytes;
  const bytes = bytesOfIp(text);
  if (text.length <= MAX_LENGTH) context.lastIp = { text, bytes };
  return bytes;
}

export function stringToCidr(text: string): CidrRange | EvaluationError {
  return parseCidr(text) ?? INVALID_CIDR;
}

export function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}

/** Returns the canonical form of the address (RFC 5952) with the prefix length. */
export function cidrToString({ ip, prefixLength }: CidrRange): string {
  return `${ipToString(ip)}/${prefixLength}`;
}

export function ipOfCidr({ ip }: CidrRange): IpAddress {
  return ip;
}

export function prefixLengthOfCidr({ prefixLength }: CidrRange): number {
  return prefixLength;
}

/** Returns the range with its host bits cleared. */
export function maskedCidr({ ip, prefixLength }: CidrRange): CidrRange {
  const bytes = ip.bytes.map((byte, index) => byte & maskAt(index, prefixLength));
  return new CidrRange(new IpAddress(bytes), prefixLength);
}

/** Returns true if no host bit is set. */
export function isMaskCidr({ ip, prefixLength }: CidrRange): boolean {
  return ip.bytes.every((byte, index) => (byte & ~maskAt(index, prefixLength)) === 0);
}

export function cidrContainsIp(range: CidrRange, { bytes }: IpAddress): boolean {
  return containsBytes(range, bytes);
}

function containsBytes({ ip, prefixLength }: CidrRange, bytes: ArrayLike<number>): boolean {
  if (bytes.length !== ip.bytes.length) return false;
  const covered = Math.ceil(prefixLength / 8);
  for (let i = 0; i < covered; i++) {
    if (((ip.bytes[i]! ^ bytes[i]!) & maskAt(i, prefixLength)) !== 0) return false;
  }
  return true;
}

/** Returns the bits of an address byte that belong to the prefix. */
function maskAt(index: number, prefixLength: number): number {
  const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
  return (0xff00 >> bits) & 0xff;
}

export function cidrContainsIpString(context: RunContext, range: CidrRange, text: string): boolean | EvaluationError {
  const bytes = lastBytesOfIp(context, text);
  return bytes === undefined ? INVALID_IP : containsBytes(range, bytes);
}

/** Returns true if the first range contains every address of the second. */
export function cidrContainsCidr(range: CidrRange, other: CidrRange): boolean {
  return range.prefixLength <= other.prefixLength && cidrContainsIp(range, other.ip);
}

export function cidrContainsCidrString(range: CidrRange, text: string): boolean | EvaluationError {
  const other = parseCidr(text);
  return other === undefined ? INVALID_CIDR : cidrContainsCidr(range, other);
}
