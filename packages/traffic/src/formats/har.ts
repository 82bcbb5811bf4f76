/** HAR files, as browsers and proxies save them: each entry becomes an exchange. */

import { ExternalError, ownValue } from '@tollgate/diagnostics';
import { ipVersion } from '@tollgate/diagnostics/portable';
import { normalizeAddress } from '../exchange/address.ts';
import {
  type ConnectionFacts,
  type Exchange,
  excerptOf,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  type RecordLocation,
  type ResponseFacts,
  type SkippedRecord,
  type SkipReason,
  type TlsFacts,
  type TrafficBatch,
} from '../exchange/exchange.ts';
import { canonicalUrl } from '../exchange/request.ts';
import type { TrafficLimits } from '../input/lines.ts';
import { isRecord, numberOf, textOf } from '../records/field-values.ts';
import { type HarRecord, HarScanner } from './har-scanner.ts';

/**
 * Reads a HAR file entry by entry, without bodies. For a truncated or damaged file, yields the entries before the fault and then throws an
 * {@link ExternalError}, `traffic/malformed-har`, as for a file that is not JSON or has no `log.entries`.
 */
export async function* readHar(
  source: AsyncIterable<Uint8Array>,
  file: string,
  limits: TrafficLimits,
): AsyncGenerator<TrafficBatch> {
  const scanner = new HarScanner(limits.maxHarEntryBytes);
  const entries = new HarEntries(file);
  try {
    for await (const chunk of source) {
      scanner.push(chunk);
      const records = scanner.take();
      if (records.length > 0) yield entries.add(records);
      if (scanner.problem !== undefined) break;
    }
  } catch (error) {
    yield entries.finish(false);
    throw error;
  }
  const problem = scanner.end();
  yield entries.finish(problem === undefined);
  if (problem !== undefined || !scanner.hasEntries) throw malformed(file, problem, entries.count);
}

function malformed(file: string, problem = 'it has no `log.entries` list', count = 0): ExternalError {
  const what = count > 0 ? `cannot be read beyond entry ${count}` : 'is not a HAR file';
  return new ExternalError('traffic/malformed-har', `\`${file}\` ${what}: ${problem}`);
}

/** The size of entries that are buffered until it is known whether the file leaves headers out. Twice as much grows V8's heap by 100 MB. */
const HELD_BYTES = 256 * 1024;

interface HeldEntry {
  readonly entry: unknown;
  readonly place: RecordLocation;
}

/**
 * Converts the records of a HAR file to exchanges. Only all entries together show whether the file leaves headers out, so the entries before
 * the first sensitive header are buffered; beyond the limit, what they lack is unknown.
 */
class HarEntries {
  readonly #file: string;
  #number = 0;
  /** Undefined until it is known, also for a file that does not name it. */
  #creator: Creator | undefined;
  #hasSensitive = false;
  #held: HeldEntry[] = [];
  #heldBytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** The number of entries so far, including skipped ones. */
  get count(): number {
    return this.#number;
  }

  /** Returns the exchanges that can be completed by now. */
  add(records: readonly HarRecord[]): TrafficBatch {
    const skipped: SkippedRecord[] = [];
    for (const record of records) {
      if (record.kind === 'creator') this.#creator = readCreator(parsed(record.text));
      else this.#hold(record, skipped);
    }
    if (this.#heldBytes > HELD_BYTES || this.#isComplete) return this.#release(skipped);
    return { exchanges: [], skipped };
  }

  /** Returns the remaining exchanges. @param isWhole the file was read to its end */
  finish(isWhole: boolean): TrafficBatch {
    // At the end of the file, it is clear that the creator is not named.
    if (isWhole) this.#creator ??= readCreator(undefined);
    return this.#release([]);
  }

  get #isComplete(): boolean {
    return this.#hasSensitive || this.#creator?.mayWithhold === false;
  }

  #hold({ text, tooLarge }: HarRecord, skipped: SkippedRecord[]): void {
    const place: RecordLocation = { file: this.#file, number: ++this.#number, unit: 'entry' };
    const entry = tooLarge ? undefined : parsed(text);
    if (entry === undefined) {
      const reason = tooLarge ? 'traffic/entry-too-large' : 'traffic/malformed-entry';
      skipped.push({ place, reason, excerpt: excerptOf(text) });
      return;
    }
    this.#hasSensitive ||= hasSensitiveHeader(entry);
    this.#held.push({ entry, place });
    this.#heldBytes += text.length;
  }

  #release(skipped: SkippedRecord[]): TrafficBatch {
    const withheld = this.#isComplete ? [] : SENSITIVE;
    const exchanges: Exchange[] = [];
    for (const { entry, place } of this.#held) {
      const exchange = readEntry(entry, place, { withheld, isOfFirefox: this.#creator?.isFirefox ?? false });
      if (typeof exchange !== 'string') exchanges.push(exchange);
      else skipped.push({ place, reason: exchange, excerpt: excerptOf(describe(entry)) });
    }
    this.#held = [];
    this.#heldBytes = 0;
    return { exchanges, skipped };
  }
}

/** Returns undefined if it is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(entry: unknown): string {
  const request = isRecord(entry) && isRecord(entry.request) ? entry.request : undefined;
  return typeof request?.url === 'string' ? request.url : JSON.stringify(request ?? entry);
}

/** What must be known of a file to read its entries. */
interface EntryContext {
  /** Names of headers that the file leaves out. */
  readonly withheld: readonly string[];
  readonly isOfFirefox: boolean;
}

/** Reads a member of `log.entries` in a HAR file, versions 1.1 to 1.3. */
export function readEntry(
  entry: unknown,
  place: RecordLocation,
  { withheld, isOfFirefox }: EntryContext,
): Exchange | SkipReason {
  if (!isRecord(entry) || !isRecord(entry.request)) return 'traffic/malformed-entry';
  const recordedUrl = textOf(entry.request.url);
  if (recordedUrl === undefined || !URL.canParse(recordedUrl)) return 'traffic/malformed-entry';
  const url = httpUrl(recordedUrl);
  if (url === undefined) return 'traffic/not-http';
  const reason = reasonToStay(entry, isOfFirefox);
  if (reason !== undefined) return reason;
  return {
    place,
    time: readTime(entry.startedDateTime),
    clientIp: undefined,
    connection: readConnection(entry),
    tls: readTls(entry, url),
    method: textOf(entry.request.method) || undefined,
    target: targetOf(url),
    url,
    protocol: readProtocol(entry.request.httpVersion) ?? readProtocol(recordOf(entry.response).httpVersion),
    requestHeaders: readRequestHeaders(entry.request, url, withheld),
    response: readResponse(entry.response, withheld),
  };
}

/** What Safari calls the answer of a server; else it names a cache, a service worker or an override of its developer tools. */
const FROM_NETWORK = 'Network Load';

/** Returns why a request never left the browser; undefined if it may have. */
function reasonToStay(entry: Readonly<Record<string, unknown>>, isOfFirefox: boolean): SkipReason | undefined {
  const fetched = textOf(entry._fetchType) ?? FROM_NETWORK;
  // Chromium names its cache.
  if (textOf(entry._fromCache) !== undefined || fetched.endsWith(' Cache')) return 'traffic/served-from-cache';
  if (fetched !== FROM_NETWORK) return 'traffic/not-sent';
  if (!(isOfFirefox ? hasNoConnection(entry) : hasNothingSent(entry))) return undefined;
  return hasStatus(recordOf(entry.response)) ? 'traffic/served-from-cache' : 'traffic/not-sent';
}

/** Chromium, also through Playwright, shows no bytes, and only the headers from before it adds the host. */
function hasNothingSent({ request, response }: Readonly<Record<string, unknown>>): boolean {
  return recordOf(response)._transferSize === 0 && !namesHost(fieldsOf(recordOf(request).headers) ?? []);
}

/** Firefox records the address of the server and when it waited for what, except for requests that it does not send. */
function hasNoConnection({ serverIPAddress, timings }: Readonly<Record<string, unknown>>): boolean {
  const spent = Object.values(recordOf(timings)).some(ms => typeof ms === 'number' && ms > 0);
  return textOf(serverIPAddress) === undefined && !spent;
}

/** A web socket begins as a request for the same URL with scheme http or https. Fragments are never sent. */
function httpUrl(url: string): string | undefined {
  const match = /^(?:http|ws)(s?:\/\/.*)$/is.exec(url);
  return match === null ? undefined : canonicalUrl(`http${match[1]}`);
}

function targetOf(url: string): string {
  const target = /^https?:\/\/[^/?]*(.*)$/s.exec(url)![1]!;
  return target.startsWith('/') ? target : `/${target}`;
}

function readTime(started: unknown): number | undefined {
  const time = Date.parse(textOf(started) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** The port is one of Playwright's fields. */
function readConnection({ serverIPAddress, _serverPort }: Readonly<Record<string, unknown>>): ConnectionFacts {
  // Chromium writes IPv6 addresses in brackets.
  return { serverIp: normalizeAddress(textOf(serverIPAddress) ?? ''), serverPort: numberOf(_serverPort) };
}

/** The details that Chromium records, through Playwright and others. */
function readTls(entry: Readonly<Record<string, unknown>>, url: string): TlsFacts {
  if (!url.startsWith('https:')) return { version: '', cipherSuite: '', serverName: '' };
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const version = textOf(recordOf(entry._securityDetails).protocol);
  // RFC 6066, section 3: literal addresses are not sent as a server name.
  return { version: version || undefined, cipherSuite: undefined, serverName: ipVersion(host) === 0 ? host : '' };
}

const PROTOCOLS: Readonly<Record<string, string>> = { h2: 'HTTP/2.0', h3: 'HTTP/3.0', quic: 'HTTP/3.0' };

function readProtocol(recorded: unknown): string | undefined {
  const text = textOf(recorded)?.toLowerCase() ?? '';
  const version = /^http\/(\d)(\.\d)?$/.exec(text);
  return version === null ? ownValue(PROTOCOLS, text) : `HTTP/${version[1]}${version[2] ?? '.0'}`;
}

function readRequestHeaders(
  request: Readonly<Record<string, unknown>>,
  url: string,
  withheld: readonly string[],
): HeaderFacts {
  const recorded = fieldsOf(request.headers);
  if (recorded === undefined) return NO_HEADER_KNOWN;
  const fields = recorded.filter(field => !field.name.startsWith(':'));
  if (!has(fields, 'host')) {
    const authority = recorded.find(field => field.name === ':authority')?.value ?? new URL(url).host;
    fields.unshift({ name: 'Host', value: authority });
  }
  const cookies = has(fields, 'cookie') ? [] : (fieldsOf(request.cookies) ?? []);
  if (cookies.length > 0) {
    fields.push({ name: 'Cookie', value: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') });
  }
  // Headers without the host are provisional: the browser recorded them before it sent the request.
  return { fields, absent: [], complete: namesHost(recorded), withheld };
}

/** A response without a status was never received. */
function readResponse(response: unknown, withheld: readonly string[]): ResponseFacts | undefined {
  if (!isRecord(response)) return undefined;
  if (!hasStatus(response)) return undefined;
  const size = numberOf(response.bodySize);
  const recorded = fieldsOf(response.headers);
  const fields = recorded?.filter(field => !field.name.startsWith(':')) ?? [];
  return {
    status: numberOf(response.status),
    headers: { fields, absent: [], complete: recorded !== undefined, withheld },
    bodySize: size === undefined || size < 0 ? undefined : size,
  };
}

function hasStatus({ status }: Readonly<Record<string, unknown>>): boolean {
  return (numberOf(status) ?? 0) >= 100;
}

function fieldsOf(list: unknown): HeaderField[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const fields: HeaderField[] = [];
  for (const member of list) {
    const name = isRecord(member) ? textOf(member.name) : undefined;
    const value = isRecord(member) ? textOf(member.value) : undefined;
    if (name !== undefined && name !== '' && value !== undefined) fields.push({ name, value });
  }
  return fields;
}

function namesHost(fields: readonly HeaderField[]): boolean {
  return has(fields, 'host') || has(fields, ':authority');
}

function has(fields: readonly HeaderField[], name: string): boolean {
  return fields.some(field => field.name.toLowerCase() === name);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Since version 130, Chromium's developer tools leave these out unless told to export sensitive data. */
export const SENSITIVE: readonly string[] = ['authorization', 'cookie', 'set-cookie'];

/** What is known of the program that wrote a file. */
interface Creator {
  /** It may leave headers out for privacy. The file does not say whether it does: one without any of them is assumed to. */
  readonly mayWithhold: boolean;
  readonly isFirefox: boolean;
}

export function readCreator(creator: unknown): Creator {
  const { name } = recordOf(creator);
  return { mayWithhold: name === 'WebInspector', isFirefox: name === 'Firefox' };
}

/** Returns true if an entry has one of the headers that are left out for privacy. */
export function hasSensitiveHeader(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return [entry.request, entry.response].some(message => {
    const headers = isRecord(message) ? message.headers : undefined;
    return Array.isArray(headers) && headers.some(isSensitive);
  });
}

function isSensitive(header: unknown): boolean {
  return isRecord(header) && SENSITIVE.includes(textOf(header.name)?.toLowerCase() ?? '');
}
