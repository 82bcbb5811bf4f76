import { ownValue } from '@tollgate/diagnostics';
import { normalizeAddress } from '../../exchange/address.ts';
import { readIsoTime } from './iso-time.ts';
import { parseLogTime } from './log-time.ts';

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
  const time = Date.parse(hasZone ? value : `${value}${value.length === 10 ? '' : 'Z'}`);
  return Number.isNaN(time) ? undefined : time;
}

/** The number of seconds until the year 5138 is smaller than that of milliseconds until 1973, and so on. */
function msOf(number: number): number | undefined {
  if (number <= 0) return undefined;
  if (number < 1e11) return Math.round(number * 1000);
  if (number < 1e14) return Math.round(number);
  return Math.round(number < 1e17 ? number / 1000 : number / 1e6);
}
