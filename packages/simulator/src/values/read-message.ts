import { Unknown } from '@tollgate/cel';
import type { HeaderName } from '../message/header-name.ts';
import { firstIn, valuesIn } from '../state/recorded-state.ts';
import type { Known, RequestState, ResponseState, TrafficState } from '../state/traffic-state.ts';

type Message = RequestState | ResponseState;

/** Returns the length of the request body; undefined if it is not declared. */
export function requestLength({ request, dialect }: TrafficState): Known<number> | undefined {
  const { method, protocol } = request;
  const length = lengthOf(request, dialect.requestLength);
  if (length !== undefined) return length;
  const encoded = valuesIn(request, dialect.requestEncoding);
  if (encoded instanceof Unknown) return encoded;
  if (encoded !== undefined) return undefined;
  // An HTTP/2 message may have a body without declaring it, which recordings do not show.
  const hasNoBody =
    method === 'GET' || method === 'HEAD' || (typeof protocol === 'string' && /^HTTP\/[01]/.test(protocol));
  return hasNoBody ? 0 : dialect.unknown.requestLength;
}

/** Returns the length of the response body; undefined if it is not declared. */
export function responseLength({ response, dialect }: TrafficState): Known<number> | undefined {
  return lengthOf(response, dialect.responseLength);
}

function lengthOf(message: Message, name: HeaderName): Known<number> | undefined {
  const written = firstIn(message, name);
  if (written instanceof Unknown) return written;
  return written !== undefined && /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

/** Returns all values of a header; none if it is absent. */
export function stringsOf(message: Message, name: HeaderName): Known<readonly string[]> {
  const values = valuesIn(message, name);
  if (values instanceof Unknown) return values;
  const texts: string[] = [];
  for (const value of values ?? []) {
    if (value instanceof Unknown) return value;
    texts.push(value);
  }
  return texts;
}
