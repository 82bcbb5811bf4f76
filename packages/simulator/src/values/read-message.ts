import { Unknown } from '@tollgate/cel';
import type { HeaderName } from '../message/header-name.ts';
import { firstIn, valuesIn } from '../state/recorded-state.ts';
import type { Known, RequestState, ResponseState, TrafficState } from '../state/traffic-state.ts';

type Message = RequestState | ResponseState;

/** The length of the request's body; undefined when it is not told beforehand. */
export function requestLength({ request, dialect }: TrafficState): Known<number> | undefined {
  const { method, protocol } = request;
  const length = lengthOf(request, dialect.requestLength);
  if (length !== undefined) return length;
  const encoded = valuesIn(request, dialect.requestEncoding);
  if (encoded instanceof Unknown) return encoded;
  if (encoded !== undefined) return undefined;
  // Without a header of its own a message of HTTP/2 may still have a body: that is not recorded.
  const hasNoBody =
    method === 'GET' || method === 'HEAD' || (typeof protocol === 'string' && /^HTTP\/[01]/.test(protocol));
  return hasNoBody ? 0 : dialect.unknown.requestLength;
}

/** The length of the response's body; undefined when it is not told beforehand. */
export function responseLength({ response, dialect }: TrafficState): Known<number> | undefined {
  return lengthOf(response, dialect.responseLength);
}

function lengthOf(message: Message, name: HeaderName): Known<number> | undefined {
  const written = firstIn(message, name);
  if (written instanceof Unknown) return written;
  return written !== undefined && /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

/** All values of a header; none when it is absent. */
export function textsOf(message: Message, name: HeaderName): Known<readonly string[]> {
  const values = valuesIn(message, name);
  if (values instanceof Unknown) return values;
  const texts: string[] = [];
  for (const value of values ?? []) {
    if (value instanceof Unknown) return value;
    texts.push(value);
  }
  return texts;
}
