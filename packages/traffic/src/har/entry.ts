import { isIP } from 'node:net';
import { ownValue } from '@tollgate/diagnostics';
import { normalizeAddress } from '../exchange/address.ts';
import type { SkipReason } from '../exchange/batch.ts';
import {
  type ConnectionFacts,
  type Exchange,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  type ResponseFacts,
  type TlsFacts,
} from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { isRecord, numberOf, textOf } from '../input/json.ts';

/**
 * Reads a member of `log.entries` in a HAR file, versions 1.1 to 1.3.
 * @param withheld names of headers that the file leaves out
 */
export function readEntry(entry: unknown, place: RecordLocation, withheld: readonly string[]): Exchange | SkipReason {
  if (!isRecord(entry) || !isRecord(entry.request)) return 'traffic/malformed-entry';
  const recordedUrl = textOf(entry.request.url);
  if (recordedUrl === undefined || !URL.canParse(recordedUrl)) return 'traffic/malformed-entry';
  const url = httpUrl(recordedUrl);
  if (url === undefined) return 'traffic/not-http';
  if (isFromCache(entry)) return 'traffic/served-from-cache';
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

/** Whether the request never left the browser. Chromium's developer tools say so; Playwright only shows no headers and no bytes. */
function isFromCache(entry: Readonly<Record<string, unknown>>): boolean {
  if (textOf(entry._fromCache) !== undefined) return true;
  return recordOf(entry.response)._transferSize === 0 && !namesHost(fieldsOf(recordOf(entry.request).headers) ?? []);
}

/** A web socket begins as a request for the same URL with scheme http or https. Fragments are never sent. */
function httpUrl(url: string): string | undefined {
  const match = /^(http|ws)(s?):\/\/([^#]*)/i.exec(url);
  return match === null ? undefined : `http${match[2]!.toLowerCase()}://${match[3]}`;
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
  return { version: version || undefined, cipherSuite: undefined, serverName: isIP(host) === 0 ? host : '' };
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
  const status = numberOf(response.status);
  if (status === undefined || status < 100) return undefined;
  const size = numberOf(response.bodySize);
  const recorded = fieldsOf(response.headers);
  const fields = recorded?.filter(field => !field.name.startsWith(':')) ?? [];
  return {
    status,
    headers: { fields, absent: [], complete: recorded !== undefined, withheld },
    bodySize: size === undefined || size < 0 ? undefined : size,
  };
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
