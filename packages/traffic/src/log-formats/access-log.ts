/** The common and combined log formats, which most servers write, scanned without a regular expression. */
import { normalizeAddress } from '../exchange/address.ts';
import {
  type Exchange,
  type HeaderFacts,
  NO_HEADER_KNOWN,
  type RecordLocation,
  type ResponseFacts,
  TLS_UNKNOWN,
  type TrafficBatch,
} from '../exchange/exchange.ts';
import { type LogSource, type ReadLine, readLog } from '../input/lines.ts';
import type { FieldMapping } from '../records/field-mapping.ts';
import { parseLogTime, type RequestLine, splitRequestLine, unescapeField } from '../records/field-values.ts';
import { type LineStep, quoted } from '../records/line-grammar.ts';
import { type Absence, absenceOf, LoggedHeaders, USUAL_SIGNS } from '../records/logged-headers.ts';
import { readStateAt } from '../records/refusals.ts';

/** Reads an access log in the common or combined format. */
export function readAccessLog(source: LogSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  return readLog(source, accessLogLines(mapping));
}

/** Returns a reader of one line. */
export function accessLogLines({ absent }: FieldMapping): ReadLine {
  const absence = absenceOf(USUAL_SIGNS, absent);
  return (text, place) => {
    const fields = scanLine(text);
    if (fields === undefined) return 'traffic/malformed-line';
    return LineExchange.from(place, { text, fields, absence }) ?? 'traffic/no-request';
  };
}

/** A log line as an exchange. Fields are cut out of the line on demand, because a policy reads few of them. */
class LineExchange implements Exchange {
  readonly place: RecordLocation;
  readonly tls = TLS_UNKNOWN;
  readonly #text: string;
  readonly #fields: LineFields;
  readonly #request: RequestLine;
  readonly #absence: Absence;

  private constructor(place: RecordLocation, { text, fields, absence }: ScannedLine, request: RequestLine) {
    this.place = place;
    this.#text = text;
    this.#fields = fields;
    this.#absence = absence;
    this.#request = request;
  }

  get time(): number | undefined {
    return parseLogTime(this.#text.slice(this.#fields.timeStart, this.#fields.timeStart + TIME_LENGTH));
  }

  /** Undefined if the server logged a host name. */
  get clientIp(): string | undefined {
    return normalizeAddress(this.#text.slice(this.#fields.hostStart, this.#fields.hostEnd));
  }

  get method(): string | undefined {
    return this.#request.method;
  }

  get target(): string | undefined {
    return this.#request.target;
  }

  /** A log contains neither scheme nor host, except for requests to a proxy. */
  get url(): string | undefined {
    const target = this.#request.target;
    return /^https?:\/\//i.test(target) ? target : undefined;
  }

  get protocol(): string | undefined {
    return this.#request.protocol;
  }

  get requestHeaders(): HeaderFacts {
    const { refererStart, refererEnd, agentStart, agentEnd } = this.#fields;
    if (refererStart < 0) return NO_HEADER_KNOWN;
    const referer = this.#text.slice(refererStart, refererEnd);
    const agent = this.#text.slice(agentStart, agentEnd);
    return new LoggedHeaders(this.#absence, readStateAt(this.#status))
      .add('Referer', referer, unescapeField(referer))
      .add('User-Agent', agent, unescapeField(agent))
      .facts();
  }

  get response(): ResponseFacts {
    const { statusEnd, sizeEnd } = this.#fields;
    const status = this.#status;
    const size = this.#text.slice(statusEnd + 1, sizeEnd);
    // Apache writes `-` for zero bytes. Traefik writes it for status and size if the application sent no response.
    const none = status === undefined ? undefined : 0;
    return { status, headers: NO_HEADER_KNOWN, bodySize: size === '-' ? none : Number(size) };
  }

  get #status(): number | undefined {
    const { statusStart, statusEnd } = this.#fields;
    return statusEnd === statusStart + 1 ? undefined : Number(this.#text.slice(statusStart, statusEnd));
  }

  /** Returns undefined if the server logged something other than a request. */
  static from(place: RecordLocation, line: ScannedLine): LineExchange | undefined {
    const { text, fields } = line;
    const request = splitRequestLine(unescapeField(text.slice(fields.requestStart, fields.requestEnd)));
    return request === undefined ? undefined : new LineExchange(place, line, request);
  }
}

interface ScannedLine {
  readonly text: string;
  readonly fields: LineFields;
  /** What stands for a header that was not sent. */
  readonly absence: Absence;
}

/** The positions of a line's fields; half-open UTF-16 offsets. A missing field starts at -1. */
interface LineFields {
  readonly hostStart: number;
  readonly hostEnd: number;
  readonly timeStart: number;
  readonly requestStart: number;
  readonly requestEnd: number;
  readonly statusStart: number;
  readonly statusEnd: number;
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
const TIME_LENGTH = 26;

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
  const statusEnd = text[statusStart] === '-' ? statusStart + 1 : statusStart + 3;
  if (statusEnd === statusStart + 3 && !areDigits(text, statusStart, statusEnd)) return undefined;
  const sizeEnd = text.charCodeAt(statusEnd) === SPACE ? scanSize(text, statusEnd + 1) : -1;
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
    statusEnd,
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

/** Returns the end of a number or of `-`; -1 if it is missing. */
function scanSize(text: string, start: number): number {
  let end = start;
  if (text[end] === '-') end++;
  else while (isDigit(text, end)) end++;
  return end > start && (end === text.length || text.charCodeAt(end) === SPACE) ? end : -1;
}

function areDigits(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(text, at)) return false;
  return true;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The fields that {@link scanLine} expects, for reporting where a line breaks the format. */
export const ACCESS_LOG_STEPS: readonly LineStep[] = [
  { expected: 'the address of the client', pattern: /([\w.:[\]%-]*[.:][\w.:[\]%-]*,?|-) /y },
  { expected: 'the identity and the user, such as `- -`', pattern: /(?!["[])((?:[^ [][^ ]* )+)/y },
  {
    expected: 'a time such as `[21/Nov/2026:10:00:00 +0000]`',
    pattern: /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] /y,
  },
  quoted('a request in quotes, such as `"GET / HTTP/1.1"`'),
  { expected: 'a status of three digits, or `-`', pattern: /(\d{3}|-) /y },
  { expected: 'the size of the response, or `-`', pattern: /(\d+|-)(?: |$)/y },
  {
    expected: 'a referrer and a user agent, both in quotes',
    pattern: /((?!")|"(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*"(?: |$))/sy,
  },
];
