import { CidrRange, IpAddress } from '../../values/value.ts';

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
