/** Values of fields as recordings spell them: times, addresses, sizes, TLS versions, request lines, escapes. */
import { ownValue } from '@tollgate/diagnostics';
import { bytesToLatin1, bytesToUtf8, utf8ToBytes } from '@tollgate/diagnostics/portable';
import { normalizeAddress } from '../exchange/address.ts';
import type { CredentialVerdict } from '../exchange/exchange.ts';

/** Returns a string, or a number as a string; undefined for anything else. */
export function stringIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Returns a number, also from a string. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Returns a number of bytes. */
export function sizeIn(value: unknown): number | undefined {
  const size = numberIn(value);
  return size !== undefined && size >= 0 && Number.isInteger(size) ? size : undefined;
}

/** Returns a status; servers write 0 and 000 if none was sent. */
export function statusIn(value: unknown): number | undefined {
  const status = numberIn(value);
  return status !== undefined && status >= 100 && status <= 999 && Number.isInteger(status) ? status : undefined;
}

/** Returns verdicts as one string, which all formats of records can hold: a line for each, with its key, and `valid` or the reason why it is not. */
export function verdictsText(verdicts: ReadonlyMap<string, CredentialVerdict>): string | undefined {
  const known = [...verdicts].filter(([, { kind }]) => kind !== 'unknown');
  const lines = known.map(([key, verdict]) => `${key} ${verdict.kind === 'invalid' ? verdict.reason : VALID}`);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Returns the verdicts that {@link verdictsText} has written; undefined for anything else. */
export function verdictsIn(value: unknown): ReadonlyMap<string, CredentialVerdict> | undefined {
  if (typeof value !== 'string') return undefined;
  const lines = value.split('\n').map(line => /^(\S+) (.+)$/.exec(line));
  if (lines.includes(null)) return undefined;
  return new Map(
    lines.map(line => {
      const [, key = '', reason = ''] = line!;
      return [key, reason === VALID ? { kind: 'valid' } : { kind: 'invalid', reason }];
    }),
  );
}

const VALID = 'valid';

/** Returns a normalized address; see {@link normalizeAddress}. */
export function addressIn(value: unknown): string | undefined {
  return normalizeAddress(stringIn(value) ?? '');
}

/** Returns a port number, also one that follows an address. */
export function portIn(value: unknown): number | undefined {
  const digits = /^(?:.*:)?(\d{1,5})$/.exec(stringIn(value) ?? '')?.[1];
  const port = Number(digits ?? 0);
  return port > 0 && port < 65_536 ? port : undefined;
}

/** The fields that hold a request target, with patterns of the authority of those that are a whole URL, in a syntax that engines share. */
export const TARGET_AUTHORITIES = {
  target: '^[Hh][Tt][Tt][Pp][Ss]?://([^/?#]*)',
  request_line: '^[^ ]+ [Hh][Tt][Tt][Pp][Ss]?://([^/?#]*)',
} as const;

const PATTERNS = {
  target: new RegExp(TARGET_AUTHORITIES.target),
  request_line: new RegExp(TARGET_AUTHORITIES.request_line),
};

/** Returns the authority of a request target, or of that of a request line, that is a whole URL; undefined for any other. */
export function authorityIn(value: unknown, field: keyof typeof TARGET_AUTHORITIES): string | undefined {
  return typeof value === 'string' && value.charCodeAt(0) !== SLASH ? PATTERNS[field].exec(value)?.[1] : undefined;
}

/**
 * Returns what a request target says in the log of a server that may have removed the default port from an absolute one, as HAProxy does: of one
 * without a port, only the path and the name of the host are known.
 */
export function targetWithoutPort(target: string): { readonly target: string; readonly hostName?: string } {
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined || rest === undefined || hasPort(authority)) return { target };
  return { target: rest.startsWith('/') ? rest : `/${rest}`, hostName: authority.replace(/^.*@/, '') };
}

/** Returns true if an authority ends with a port. */
export function hasPort(authority: string): boolean {
  return /:\d+$/.test(authority);
}

/** Returns a scheme in lower case; web sockets have one of HTTP. */
export function schemeIn(value: unknown): string | undefined {
  const match = /^(?:http|ws)(s?)$/i.exec(stringIn(value) ?? '');
  return match === null ? undefined : `http${match[1]!.toLowerCase()}`;
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  h2: 'HTTP/2.0',
  h2c: 'HTTP/2.0',
  h3: 'HTTP/3.0',
  quic: 'HTTP/3.0',
};

/** Returns `HTTP/<major>.<minor>`, also for ALPN names. */
export function protocolIn(value: unknown): string | undefined {
  if (value === 'HTTP/1.1' || value === 'HTTP/2.0') return value;
  const text = stringIn(value)?.toLowerCase() ?? '';
  const version = /^http\/(\d)(\.\d)?$/.exec(text);
  return version === null ? ownValue(PROTOCOLS, text) : `HTTP/${version[1]}${version[2] ?? '.0'}`;
}

/**
 * Returns ms since 1970-01-01T00:00:00Z for ISO 8601, access-log times, and numbers of seconds, milliseconds, microseconds or nanoseconds,
 * which are distinguished by their size. A time without a zone is UTC.
 */
export function timeIn(value: unknown): number | undefined {
  const plain = typeof value === 'string' ? readIsoTime(value) : undefined;
  if (plain !== undefined) return plain;
  const number = numberIn(value);
  if (number !== undefined) return msOf(number);
  if (typeof value !== 'string') return undefined;
  if (!/^\d{4}-\d\d-\d\d/.test(value)) return parseLogTime(value.replace(/^\[|\]$/g, ''));
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value.slice(10));
  // Log4j and Python write a comma before milliseconds.
  const text = value.replace(/(:\d\d),(\d)/, '$1.$2');
  const time = Date.parse(hasZone ? text : `${text}${text.length === 10 ? '' : 'Z'}`);
  return Number.isNaN(time) || !isDay(value) ? undefined : time;
}

/**
 * Returns the time of what ended at a recorded time, and the seconds for which it lasted. A whole number may be milliseconds or nanoseconds,
 * between which nothing tells: then it is the time of the end.
 */
export function startIn(end: unknown, duration: unknown): number | undefined {
  const time = timeIn(typeof end === 'string' && GO_DATE.test(end) ? end.replaceAll('/', '-') : end);
  const seconds = durationIn(duration);
  return time === undefined || seconds === undefined ? time : Math.round(time - seconds * 1000);
}

/** Returns seconds: as a fraction, or as Go writes a duration: `1m2.5s`, `740.5µs`. */
function durationIn(value: unknown): number | undefined {
  const number = numberIn(value);
  if (number !== undefined) return number === 0 || !Number.isInteger(number) ? number : undefined;
  if (typeof value !== 'string' || !GO_DURATION.test(value)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of value.matchAll(GO_PARTS)) seconds += Number(amount) * GO_UNITS[unit!]!;
  return seconds;
}

/** As Go's package `log` writes dates. */
const GO_DATE = /^\d{4}\/\d\d\/\d\d /;

const GO_UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 };
const GO_PARTS = /(\d+(?:\.\d+)?)(h|ms|m|s|µs|ns)/gy;
const GO_DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|µs|ns))+$/;

/** `Date.parse` reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return day <= DAYS_OF_ALL_MONTHS || day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1);
}

/** @param month from 0 */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

/** In the year 5138, in nanoseconds: a larger number is not a time. */
const LAST_NANOSECOND = 1e20;

/** The number of seconds until the year 5138 is smaller than that of milliseconds until 1973, and so on. */
function msOf(number: number): number | undefined {
  if (!(number > 0 && number < LAST_NANOSECOND)) return undefined;
  if (number < 1e11) return Math.round(number * 1000);
  if (number < 1e14) return Math.round(number);
  return Math.round(number < 1e17 ? number / 1000 : number / 1e6);
}

/**
 * Parses `2026-11-21T10:00:00Z`, optionally with milliseconds, to ms since 1970-01-01T00:00:00Z; returns undefined for other formats. Takes a
 * fifth of the time of `Date.parse`; every exchange of a replay needs it.
 */
export function readIsoTime(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== LETTER_Z || !hasSigns(text)) return undefined;
  if (length === 24 && text.charCodeAt(19) !== POINT) return undefined;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const ms = length === 24 ? 10 * twoDigits(text, 20) + digit(text, 22) : 0;
  const isDate = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS_OF_ALL_MONTHS;
  const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60 && ms >= 0;
  if (!isDate || !isTime) return undefined;
  return (((daysUntil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

const LETTER_Z = 0x5a;
const LETTER_T = 0x54;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const POINT = 0x2e;
/** Later days need the length of the month and are left to `Date.parse`. */
const DAYS_OF_ALL_MONTHS = 28;

function hasSigns(text: string): boolean {
  const isDate = text.charCodeAt(4) === HYPHEN && text.charCodeAt(7) === HYPHEN && text.charCodeAt(10) === LETTER_T;
  return isDate && text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON;
}

/**
 * Returns days since 1970-01-01. The year starts in March here, so that a leap day is its last (Howard Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms").
 */
function daysUntil(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const century = Math.floor(shifted / 100);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return shifted * 365 + Math.floor(shifted / 4) - century + Math.floor(century / 4) + dayOfYear - DAYS_UNTIL_1970;
}

/** Since March of year 0. */
const DAYS_UNTIL_1970 = 719_468;

/** Returns a number so negative that the sum stays negative if these are not digits. */
function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : -1_000_000;
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The positions of digits in `17/May/2015:10:05:03 +0000`, and the characters at the other positions except month and sign. */
const DIGITS = [0, 1, 7, 8, 9, 10, 12, 13, 15, 16, 18, 19, 22, 23, 24, 25];
const [ZERO, BLANK, PLUS] = [48, 32, 43];

/**
 * Parses `17/May/2015:10:05:03 +0000` to ms since 1970-01-01T00:00:00Z; returns undefined for anything else. Works on characters, because
 * replays call it for every line.
 */
export function parseLogTime(text: string): number | undefined {
  if (!hasShape(text)) return undefined;
  const month = MONTHS.indexOf(text.slice(3, 6));
  if (month < 0 || month % 3 !== 0) return undefined;
  const year = twoDigits(text, 7) * 100 + twoDigits(text, 9);
  const [day, hour, minute] = [twoDigits(text, 0), twoDigits(text, 12), twoDigits(text, 15)];
  if (day === 0 || hour > 23 || minute > 59 || (day > DAYS_OF_ALL_MONTHS && day > daysIn(year, month / 3)))
    return undefined;
  const local = Date.UTC(year, month / 3, day, hour, minute, twoDigits(text, 18));
  const offset = (twoDigits(text, 22) * 60 + twoDigits(text, 24)) * 60_000;
  return text.charCodeAt(21) === HYPHEN ? local + offset : local - offset;
}

function hasShape(text: string): boolean {
  if (text.length !== 26) return false;
  for (const at of DIGITS) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  const sign = text.charCodeAt(21);
  return (
    text.charCodeAt(2) === SLASH &&
    text.charCodeAt(6) === SLASH &&
    text.charCodeAt(11) === COLON &&
    text.charCodeAt(14) === COLON &&
    text.charCodeAt(17) === COLON &&
    text.charCodeAt(20) === BLANK &&
    (sign === PLUS || sign === HYPHEN)
  );
}

/**
 * Returns true for an HTTP URL whose host is a lower-case name, neither a number nor encoded, which can be parsed whatever follows. A pattern
 * takes four times as long, and most URLs are tested.
 */
export function isPlainUrl(text: string): boolean {
  const start = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : text.length;
  // Start of the last label, and whether it has only letters so far.
  let label = start;
  let isName = true;
  let at = start;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x61 && unit <= 0x7a) continue;
    if (unit === POINT) {
      if (at === label || text.startsWith(ENCODED, label)) return false;
      label = at + 1;
      isName = true;
    } else if (unit === HYPHEN || (unit >= 0x30 && unit <= 0x39)) isName = false;
    else if (unit === SLASH || unit === QUESTION || unit === FRAGMENT) break;
    else return false;
  }
  return isName && at > label && !text.startsWith(ENCODED, label);
}

const ENCODED = 'xn--';
const SLASH = 0x2f;
const QUESTION = 0x3f;
const FRAGMENT = 0x23;

/** The parts of `GET /path HTTP/1.1`. */
export interface RequestLine {
  readonly method: string;
  /** Includes raw spaces of sloppy clients. */
  readonly target: string;
  readonly protocol: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether a string may be a method (RFC 9110, section 9.1). */
export function isMethod(text: string): boolean {
  return TOKEN.test(text);
}

/** Splits a request line; returns undefined for anything else, such as `-` or the raw bytes that servers log for something other than a request. */
export function splitRequestLine(text: string): RequestLine | undefined {
  const methodEnd = text.indexOf(' ');
  if (methodEnd < 0 || !isMethod(text.slice(0, methodEnd))) return undefined;
  const targetEnd = text.lastIndexOf(' HTTP/');
  // A request line without protocol is HTTP/0.9 (RFC 1945, section 4.1).
  if (targetEnd < methodEnd) return withTarget(text, methodEnd, text.length, 'HTTP/0.9');
  const version = text.slice(targetEnd + 6);
  if (targetEnd === methodEnd || !/^\d(\.\d)?$/.test(version)) return undefined;
  return withTarget(text, methodEnd, targetEnd, `HTTP/${version.length === 1 ? `${version}.0` : version}`);
}

function withTarget(text: string, start: number, end: number, protocol: string): RequestLine | undefined {
  const target = text.slice(start + 1, end);
  return target === '' ? undefined : { method: text.slice(0, start), target, protocol };
}

/** Version numbers in the handshake (RFC 8446, section 4.2.1; RFC 5246, appendix E). */
const NUMBERS: Readonly<Record<string, string>> = { 769: 'TLS 1.0', 770: 'TLS 1.1', 771: 'TLS 1.2', 772: 'TLS 1.3' };

/** The canonical spelling, which nearly all logs use. */
const SPELT: ReadonlySet<string> = new Set(Object.values(NUMBERS));

/**
 * Returns `TLS 1.3`, also for `TLSv1.3`, `tls1.3`, `TLS1_3`, `1.3` and the number in the handshake; an empty string, which means no TLS, for
 * `none` and an empty string.
 */
export function tlsVersionIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (SPELT.has(text)) return text;
  if (text === '' || text.toLowerCase() === 'none') return '';
  const version = /^(?:tls)?[ _]?v?1(?:[._]([0-3]))?$/i.exec(text);
  if (version !== null) return `TLS 1.${version[1] ?? '0'}`;
  return ownValue(NUMBERS, text) ?? (/^ssl[ _]?v?[23]/i.test(text) ? `SSL ${/[23]/.exec(text)![0]}.0` : undefined);
}

const SIMPLE: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, b: 8, f: 12, '"': 34, '\\': 92 };

const BACKSLASH = 92;
const LETTER_X = 120;

/**
 * Decodes a quoted field of a log. Apache writes `\"`, `\\`, `\n` and the like, and `\xhh` for other bytes; nginx writes `\xHH` for all of
 * them. Bytes are decoded as UTF-8. Any other backslash stands for itself.
 */
export function unescapeField(text: string): string {
  if (!text.includes('\\')) return text;
  const source = utf8ToBytes(text);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let at = 0; at < source.length; ) {
    const sequence = source[at] === BACKSLASH ? readEscape(source, at + 1) : undefined;
    bytes[length++] = sequence?.byte ?? source[at]!;
    at += sequence?.length ?? 1;
  }
  return bytesToUtf8(bytes.subarray(0, length));
}

function readEscape(source: Uint8Array, at: number): { readonly byte: number; readonly length: number } | undefined {
  if (at >= source.length) return undefined;
  if (source[at] === LETTER_X) {
    const digits = bytesToLatin1(source.subarray(at + 1, at + 3));
    return /^[0-9a-fA-F]{2}$/.test(digits) ? { byte: Number.parseInt(digits, 16), length: 4 } : undefined;
  }
  const byte = SIMPLE[String.fromCharCode(source[at]!)];
  return byte === undefined ? undefined : { byte, length: 2 };
}

/** Returns true if a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a JSON value that is a string; undefined for any other. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a JSON value that is a number; undefined for any other. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
