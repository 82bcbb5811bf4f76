import { Unknown } from '@tollgate/cel';
import type { Known, TrafficState } from '../decide/traffic-state.ts';
import { firstHeader, type HeaderMap, headerValues } from '../message/header-map.ts';

/** The length of the request's body; undefined when it is not told beforehand. */
export function requestLength({ request, dialect }: TrafficState): Known<number> | undefined {
  const { headers, method, protocol } = request;
  const length = lengthOf(headers, dialect.headerKey('content-length'));
  if (length !== undefined) return length;
  const encoded = headerValues(headers, dialect.headerKey('transfer-encoding'));
  if (encoded !== undefined) return undefined;
  // Without a header of its own a message of HTTP/2 may still have a body: that is not recorded.
  const hasNoBody =
    method === 'GET' || method === 'HEAD' || (typeof protocol === 'string' && /^HTTP\/[01]/.test(protocol));
  return hasNoBody ? 0 : new Unknown([dialect.names.requestLength]);
}

/** The length of the response's body; undefined when it is not told beforehand. */
export function responseLength({ response, dialect }: TrafficState): Known<number> | undefined {
  return lengthOf(response.headers, dialect.headerKey('content-length'));
}

function lengthOf(headers: HeaderMap, key: string): Known<number> | undefined {
  const written = firstHeader(headers, key);
  if (written instanceof Unknown) return written;
  return written !== undefined && /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

/** All values of a header; none when it is absent. */
export function textsOf(headers: HeaderMap, key: string): Known<readonly string[]> {
  const values = headerValues(headers, key);
  if (values instanceof Unknown) return values;
  const texts: string[] = [];
  for (const value of values ?? []) {
    if (value instanceof Unknown) return value;
    texts.push(value);
  }
  return texts;
}
