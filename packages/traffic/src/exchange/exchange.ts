/**
 * The exchange: one recorded request with its response and connection; where it was recorded; and batches of exchanges, as readers yield
 * them.
 */
import { ExternalError, printable } from '@tollgate/diagnostics';

/**
 * One recorded request with its connection and, if known, its response. A field that the recording does not contain is `undefined`: unknown,
 * not empty.
 */
export interface Exchange {
  readonly place: RecordLocation;
  /** When the request arrived, in ms since 1970-01-01T00:00:00Z. */
  readonly time: number | undefined;
  /** The address of the connection's other end: an IPv4 or IPv6 string. */
  readonly clientIp: string | undefined;
  /** The location of that address. */
  readonly geo?: GeoFacts | undefined;
  readonly connection?: ConnectionFacts | undefined;
  readonly tls: TlsFacts;
  /** As sent; methods are case-sensitive. */
  readonly method: string | undefined;
  /** The request target as sent: usually path and query; an absolute URL from clients of a proxy; `*`. */
  readonly target: string | undefined;
  /**
   * The authority of a target that is a whole URL, which counts instead of the Host header (RFC 9112, section 3.2.2). Empty if the recording may
   * lack its port, null if the target is no whole URL, undefined if `target` tells.
   */
  readonly targetAuthority?: string | null | undefined;
  /** The absolute URL without fragment; undefined if scheme, Host header or target is not recorded. */
  readonly url: string | undefined;
  /** The scheme of the URL, `http` or `https`, also where the rest of the URL is not recorded. */
  readonly scheme?: string | undefined;
  /** The host of the URL in lower case and without its port, for recordings that have it instead of the Host header. */
  readonly hostName?: string | undefined;
  /** `HTTP/<major>.<minor>`, such as `HTTP/2.0`. */
  readonly protocol: string | undefined;
  readonly requestHeaders: HeaderFacts;
  /** The body of a request that is live, if something asks for it. No recording has it. */
  readonly requestBody?: Uint8Array | undefined;
  /**
   * What was found out about tokens and signatures of the request while it was live, by what `verdictKey` of the simulator returns. Of recordings,
   * only decision logs have it.
   */
  readonly verdicts?: ReadonlyMap<string, CredentialVerdict> | undefined;
  readonly response: ResponseFacts | undefined;
  /** Values of policy variables that follow from nothing else in an exchange, by path: only exchanges that people write have them. */
  readonly stated?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether a token or a signature is valid at the time of the exchange, with keys or a secret that recordings do not hold. */
export type CredentialVerdict =
  | { readonly kind: 'valid' }
  /** The reason completes "it is rejected: …". */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** `needs` is what would settle it. */
  | { readonly kind: 'unknown'; readonly needs: string };

/** The response of an exchange, as far as it is recorded. */
export interface ResponseFacts {
  readonly status: number | undefined;
  readonly headers: HeaderFacts;
  /** Bytes of the body as transferred. */
  readonly bodySize: number | undefined;
}

/** What is known about the headers of one message. */
export interface HeaderFacts {
  /** In the order and spelling of the recording; names may repeat. */
  readonly fields: readonly HeaderField[];
  /** Lower-case names of headers known to be absent, even though the recording is not complete. */
  readonly absent: readonly string[];
  /**
   * By lower-case name, what was recorded of headers of which the recording shows only a part. Not in `fields`. A string with a comma: the header
   * was sent once with this value, or several times, and the server joined the values with commas. Any other: it was sent with this value or not
   * at all, because servers write a dash or nothing for a header that was not sent.
   */
  readonly unclear?: ReadonlyMap<string, string>;
  /** Every header was recorded: one that is not in `fields` was not sent, except for `withheld` and `unclear`. */
  readonly complete: boolean;
  /** The recording may contain every header; the setting `complete_headers`, off by default, says so. */
  readonly mayBeComplete?: boolean;
  /** Lower-case names of headers that were removed from a complete recording if they were sent. */
  readonly withheld: readonly string[];
  /**
   * Returns the values of the fields with a lower-case name, compared without regard to case; undefined if there are none. Present in
   * recordings that need not parse all fields to find one.
   */
  valuesOf?(lowerCase: string): string[] | undefined;
  /** Returns whether a lower-case name is in `absent`. Present in recordings that need not look at all fields to find out. */
  isAbsent?(lowerCase: string): boolean;
  /** Returns what `unclear` has for a lower-case name, likewise. */
  unclearOf?(lowerCase: string): string | undefined;
  /** Returns whether a lower-case name is in `withheld`, likewise. */
  isWithheld?(lowerCase: string): boolean;
}

/** The name and value of a header. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** What is known about the connection in addition to the client's address. The server is the one that accepted the connection. */
export interface ConnectionFacts {
  readonly clientPort?: number | undefined;
  /** An IPv4 or IPv6 string. */
  readonly serverIp?: string | undefined;
  readonly serverPort?: number | undefined;
  /** When it began, in ms since 1970-01-01T00:00:00Z. */
  readonly start?: number | undefined;
}

/** What is known about the client's TLS connection. An empty string means that the connection is known not to have it. */
export interface TlsFacts {
  /** `TLS 1.3` and so on. */
  readonly version: string | undefined;
  readonly cipherSuite: string | undefined;
  readonly serverName: string | undefined;
  /** Negotiated in the handshake: `h2`. */
  readonly alpn?: string | undefined;
  /** The JA4 fingerprint of the handshake. */
  readonly ja4?: string | undefined;
  /** The common name in the subject of the client's certificate. */
  readonly clientName?: string | undefined;
}

/**
 * Returns true if a server that writes one string for a header may have joined several fields in it: with commas, as RFC 9110 (section 5.3) allows.
 * Headers that RFC 9110 and RFC 6265 define as single are taken for one field.
 */
export function mayBeSeveral(name: string, value: string): boolean {
  return value.includes(',') && !isSingle(name);
}

/** Returns true if RFC 9110 or RFC 6265 define a header as single. */
export function isSingle(name: string): boolean {
  return SINGLE_HEADERS.includes(name.toLowerCase());
}

/** Lower-case names of headers that are sent once, and whose own syntax may have commas. */
export const SINGLE_HEADERS: readonly string[] = [
  ...['authorization', 'content-disposition', 'content-location', 'content-type', 'date', 'etag', 'expires', 'from'],
  ...['host', 'if-modified-since', 'if-range', 'if-unmodified-since', 'last-modified', 'location', 'origin'],
  ...['proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent'],
];

/** The headers of a recording that contains none. */
export const NO_HEADER_KNOWN: HeaderFacts = { fields: [], absent: [], complete: false, withheld: [] };

/** A connection about which nothing is recorded. */
export const TLS_UNKNOWN: TlsFacts = { version: undefined, cipherSuite: undefined, serverName: undefined };

/**
 * What is known about an address: its location, its registration, its network. An absent field is unknown; an empty string means that the
 * address is known to have none. Names are in English.
 */
export interface GeoFacts {
  /** Two capital letters of ISO 3166-1. */
  readonly countryCode?: string | undefined;
  readonly country?: string | undefined;
  readonly continent?: string | undefined;
  /** State, province or region. */
  readonly subdivision?: string | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly metroCode?: string | undefined;
  /** An IANA name. */
  readonly timeZone?: string | undefined;
  /** In degrees; a string, as in policies. */
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  /** The radius in kilometres around latitude and longitude that probably contains the address. */
  readonly radius?: string | undefined;
  readonly isInEu?: boolean | undefined;
  readonly registeredCountryCode?: string | undefined;
  readonly registeredCountry?: string | undefined;
  readonly isRegisteredInEu?: boolean | undefined;
  /** The number of the autonomous system. */
  readonly asNumber?: number | undefined;
  readonly asOrganization?: string | undefined;
}

/** Returns what is known about an address, an IPv4 or IPv6 string. */
export type LocateAddress = (address: string) => GeoFacts;

/** A location in recorded traffic. */
export interface RecordLocation {
  /** As the user named it. */
  readonly file: string;
  /** One-based: the line of a log, the entry of a HAR file, or the row of a table, not counting unreadable rows. 0 for a table on an engine. */
  readonly number: number;
  /** `table` for somewhere in a table on an engine, whose rows have no numbers. */
  readonly unit: 'line' | 'entry' | 'row' | 'table';
}

/** Formats a location: `access.log:12` for a line, `browse.har#12` for an entry of a HAR file, `log.parquet#12` for a row, `logs` for a table. */
export function formatLocation(place: RecordLocation): string {
  if (place.unit === 'table') return place.file;
  return `${place.file}${place.unit === 'line' ? ':' : '#'}${place.number}`;
}

/** A batch of recorded traffic: small enough to be held in memory, large enough to be efficient. */
export interface TrafficBatch {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedRecord[];
}

/** A record that is not an exchange. Readers continue after it. */
export interface SkippedRecord {
  readonly place: RecordLocation;
  readonly reason: SkipReason;
  /** The beginning of the record. */
  readonly excerpt: string;
  /** Where the record breaks the format, and what was expected there; only for the first few such records. */
  readonly detail?: string;
}

/** Why a record was skipped; a stable code for tools. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** Descriptions of the reasons for skipping records. */
export const SKIP_REASONS = {
  'traffic/malformed-line': 'not a line of the log format',
  'traffic/line-too-long': 'line too long',
  'traffic/not-utf-8': 'invalid UTF-8',
  'traffic/nul-byte': 'contains a NUL byte',
  'traffic/malformed-json': 'not a JSON object',
  'traffic/malformed-row': 'malformed row',
  'traffic/open-quote': 'part of a field whose quote is not closed',
  'traffic/no-fields': 'no known field',
  'traffic/no-request': 'no HTTP request received',
  'traffic/malformed-entry': 'not a HAR entry with a request',
  'traffic/entry-too-large': 'HAR entry too large',
  'traffic/not-http': 'not an HTTP request',
  'traffic/served-from-cache': 'served from the browser cache',
  'traffic/not-sent': 'not sent by the browser',
} as const;

/** The number of UTF-16 units of a skipped record that are kept. */
const EXCERPT_LENGTH = 120;

/** Returns the beginning of a record for display, with control characters made visible. */
export function excerptOf(text: string): string {
  const start = printable(text.slice(0, EXCERPT_LENGTH));
  return text.length > EXCERPT_LENGTH ? `${start}…` : start;
}

/** Skipped records that are not faults: a strict reader accepts them. */
const FINE: ReadonlySet<SkipReason> = new Set([
  'traffic/no-request',
  'traffic/not-http',
  'traffic/served-from-cache',
  'traffic/not-sent',
] as const);

/** Throws an {@link ExternalError} for the first record of a batch that could not be read. */
export function refuseUnreadable({ skipped }: TrafficBatch): void {
  const record = skipped.find(({ reason }) => !FINE.has(reason));
  if (record === undefined) return;
  const { place, reason, excerpt, detail } = record;
  const why = detail === undefined ? `${SKIP_REASONS[reason]}: ${excerpt}` : `${SKIP_REASONS[reason]}, ${detail}`;
  const message = `\`${formatLocation(place)}\` cannot be read: ${why}`;
  throw new ExternalError(UNREADABLE_RECORD, message);
}

/** The code of the error that a strict reader throws. A reader of several files stops at it. */
export const UNREADABLE_RECORD = 'traffic/unreadable-record';
