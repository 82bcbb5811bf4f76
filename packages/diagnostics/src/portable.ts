/**
 * Bytes, equality and addresses for code that runs in browsers, workers and gateways as well as in Node. What `Buffer`, `node:util` and
 * `node:net` accept is accepted here with the same result; the tests compare them.
 */

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the UTF-8 bytes of a string; an unpaired surrogate becomes U+FFFD. */
export function utf8ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(text);
}

/** Returns the string of UTF-8 bytes. Each invalid sequence becomes U+FFFD; a byte order mark is kept. */
export function bytesToUtf8(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}

/** Returns a byte for each UTF-16 unit of a string: its lower eight bits. */
export function latin1ToBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

const UTF16 = new TextDecoder('utf-16le');

/** Returns a character from U+0000 to U+00FF for each byte. (The label `latin1` of `TextDecoder` means windows-1252.) */
export function bytesToLatin1(bytes: Uint8Array): string {
  // Most texts are ASCII. This takes a hundredth of the time that `String.fromCharCode` takes, and a quarter of that of the other decoder.
  const text = DECODER.decode(bytes);
  if (text.length === bytes.length && !text.includes('\ufffd')) return text;
  return UTF16.decode(new Uint16Array(bytes));
}

/** Returns two lower-case hexadecimal digits for each byte. */
export function bytesToHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text;
}

/** Returns a byte for each pair of hexadecimal digits, up to the first pair that is none. */
export function hexToBytes(text: string): Uint8Array<ArrayBuffer> {
  const digits = /^(?:[\da-f]{2})*/i.exec(text)![0];
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number(`0x${digits.slice(2 * index, 2 * index + 2)}`),
  );
}

/** Returns the bytes in base64 with padding (RFC 4648, section 4). */
export function bytesToBase64(bytes: Uint8Array): string {
  return btoa(bytesToLatin1(bytes));
}

/**
 * Returns the bytes of base64 or base64url, with or without padding, up to the first `=`. Other characters are skipped, and bits that make
 * no whole byte are dropped.
 */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  const [written = ''] = text.split('=', 1);
  const digits = written
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^\dA-Za-z+/]/g, '');
  return latin1ToBytes(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));
}

/** Returns one array with the bytes of all parts. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Returns true if two values of plain data are equal: arrays, objects in any order of their keys, byte arrays, and scalars by `Object.is`.
 * A member that is `undefined` is not one that is absent. Other objects, such as maps, equal only themselves.
 */
export function deepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const prototype: unknown = Object.getPrototypeOf(one);
  if (!PLAIN_PROTOTYPES.has(prototype) || prototype !== Object.getPrototypeOf(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      key =>
        Object.hasOwn(other, key) &&
        deepEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

const PLAIN_PROTOTYPES: ReadonlySet<unknown> = new Set([Object.prototype, Array.prototype, Uint8Array.prototype, null]);

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^([\da-f:.]+)(?:%[\da-z.:-]+)?$/i;

/** Returns the version of an IP address, or 0 if the string is none. An IPv6 address may have a zone, such as `fe80::1%eth0`. */
export function ipVersion(text: string): 0 | 4 | 6 {
  if (IPV4.test(text)) return 4;
  const [, address] = IPV6.exec(text) ?? [];
  return address?.includes(':') && URL.canParse(`http://[${address}]`) ? 6 : 0;
}

/** The answer of {@link mayGenerateCode}, which is the same as long as the program runs. */
const GENERATION: { isAllowed?: boolean } = {};

/**
 * Returns true if `new Function` may be used, which content-security policies and flags of engines forbid. Asked at the first call, because
 * browsers report the question itself as a violation.
 */
export function mayGenerateCode(): boolean {
  GENERATION.isAllowed ??= tryToGenerate();
  return GENERATION.isAllowed;
}

function tryToGenerate(): boolean {
  try {
    new Function('');
    return true;
  } catch {
    return false;
  }
}
