import { normalizeAddress } from '../exchange/address.ts';

/** The positions of a line's fields; half-open UTF-16 offsets. A missing field starts at -1. */
export interface LineFields {
  readonly hostStart: number;
  readonly hostEnd: number;
  readonly timeStart: number;
  readonly requestStart: number;
  readonly requestEnd: number;
  readonly statusStart: number;
  readonly sizeEnd: number;
  readonly refererStart: number;
  readonly refererEnd: number;
  readonly agentStart: number;
  readonly agentEnd: number;
}

const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const BRACKET = 93;
/** `17/May/2015:10:05:03 +0000` */
export const TIME_LENGTH = 26;

/**
 * Finds the fields of a line in the common (`host ident user [time] "request" status size`) or combined log format (with `"referer" "user
 * agent"`), by character codes. A virtual host before the line and any fields after it are accepted. Returns undefined for any other line.
 */
export function scanLine(text: string): LineFields | undefined {
  const bracket = text.indexOf(' [');
  const timeStart = bracket + 2;
  const timeEnd = timeStart + TIME_LENGTH;
  if (bracket < 5 || text.charCodeAt(timeEnd) !== BRACKET) return undefined;
  const host = scanHost(text, bracket);
  if (host === undefined || text.charCodeAt(timeEnd + 1) !== SPACE) return undefined;
  const requestStart = openQuote(text, timeEnd + 2);
  const requestEnd = requestStart < 0 ? -1 : closeQuote(text, requestStart);
  if (requestEnd < 0 || text.charCodeAt(requestEnd + 1) !== SPACE) return undefined;
  const statusStart = requestEnd + 2;
  const sizeEnd = scanNumbers(text, statusStart);
  if (sizeEnd < 0) return undefined;
  const referer = scanQuoted(text, sizeEnd);
  const agent = referer === undefined ? undefined : scanQuoted(text, referer.end + 1);
  if (sizeEnd < text.length && text.charCodeAt(sizeEnd + 1) === QUOTE && agent === undefined) return undefined;
  return {
    ...host,
    timeStart,
    requestStart,
    requestEnd,
    statusStart,
    sizeEnd,
    refererStart: referer?.start ?? -1,
    refererEnd: referer?.end ?? -1,
    agentStart: agent?.start ?? -1,
    agentEnd: agent?.end ?? -1,
  };
}

/**
 * The client's address is the first field, or the second if the first is a virtual host: one with a port (`example.com:80`), or one without if
 * only the second is an address. Of two addresses the first counts: proxies log that of `X-Forwarded-For` before their own.
 */
function scanHost(text: string, end: number): Pick<LineFields, 'hostStart' | 'hostEnd'> | undefined {
  const first = text.indexOf(' ');
  const second = text.indexOf(' ', first + 1);
  if (first <= 0 || second < 0 || second >= end) return undefined;
  // Nearly every line has a dash there.
  const mayBeVirtualHost = second - first > 2;
  return mayBeVirtualHost && isVirtualHost(text.slice(0, first), text.slice(first + 1, second))
    ? { hostStart: first + 1, hostEnd: second }
    : { hostStart: 0, hostEnd: first };
}

function isVirtualHost(first: string, second: string): boolean {
  if (normalizeAddress(second) === undefined) return false;
  return /^(?:[^:]*|\[.*\]):\d+$/.test(first) || normalizeAddress(first) === undefined;
}

function openQuote(text: string, at: number): number {
  return text.charCodeAt(at) === QUOTE ? at + 1 : -1;
}

/** Returns the offset of the quote that ends a field, or -1. */
function closeQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH && at - 1 - escapes >= start) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}

/** Returns the quoted field after the space at `space`. */
function scanQuoted(text: string, space: number): { readonly start: number; readonly end: number } | undefined {
  const start = text.charCodeAt(space) === SPACE ? openQuote(text, space + 1) : -1;
  const end = start < 0 ? -1 : closeQuote(text, start);
  return end < 0 ? undefined : { start, end };
}

/** Returns the end of `200 1234`, where the size may be `-`; -1 if it is missing. */
function scanNumbers(text: string, start: number): number {
  for (let at = start; at < start + 3; at++) if (!isDigit(text, at)) return -1;
  if (text.charCodeAt(start + 3) !== SPACE) return -1;
  let end = start + 4;
  if (text[end] === '-') end++;
  else while (isDigit(text, end)) end++;
  return end > start + 4 && (end === text.length || text.charCodeAt(end) === SPACE) ? end : -1;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
