import { STATUS_CODES } from 'node:http';
import { COUNTRY_CODES, HTTP_METHODS } from '@tollgate/lint';

/** A value with what it means. */
export interface KnownValue {
  readonly value: string;
  readonly meaning: string;
}

/** The registered status codes with their reason phrases. */
export const STATUSES: readonly KnownValue[] = Object.entries(STATUS_CODES).map(([value, meaning = '']) => ({
  value,
  meaning,
}));

/** Methods that policies usually mention come first. */
const COMMON_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The registered request methods. */
export const METHODS: readonly KnownValue[] = [...new Set([...COMMON_METHODS, ...HTTP_METHODS])].map(value => ({
  value,
  meaning: 'request method',
}));

/** The country codes of ISO 3166-1 with their names. */
export function countries(): readonly KnownValue[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return [...COUNTRY_CODES].map(value => ({ value, meaning: names.of(value) ?? '' }));
}

/** Common header fields in lower case. */
export const HEADER_NAMES: readonly string[] =
  `accept accept-encoding accept-language access-control-allow-origin age allow authorization cache-control connection
content-disposition content-encoding content-language content-length content-location content-security-policy content-type cookie date
etag expires forwarded from host if-match if-modified-since if-none-match last-modified link location origin pragma proxy-authorization
range referer referrer-policy retry-after server set-cookie strict-transport-security te trailer transfer-encoding upgrade user-agent vary
via www-authenticate x-api-key x-content-type-options x-forwarded-for x-forwarded-host x-forwarded-proto x-frame-options x-real-ip
x-request-id`.split(/\s+/);

/** Versions of TLS as policies write them. */
export const TLS_VERSIONS: readonly KnownValue[] = ['1.0', '1.1', '1.2', '1.3'].map(value => ({
  value,
  meaning: `TLS ${value}`,
}));
