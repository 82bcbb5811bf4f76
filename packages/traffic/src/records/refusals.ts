/**
 * Statuses of requests that a server may have refused before it had read all headers. What it logs of headers in such a record is only true of
 * those that it had read.
 */
import { statusIn } from './field-values.ts';

/** The statuses, by server, with the code that logs a request so early. */
const BY_SERVER = {
  // ngx_http_process_request_line, ngx_http_process_request_headers and ngx_http_process_host (src/http/ngx_http_request.c), and streams that a
  // client ends (src/http/v2/ngx_http_v2.c).
  nginx: [400, 408, 414, 421, 494, 499, 505],
  // ap_read_request and what it calls (server/protocol.c), and the same for HTTP/2 (modules/http2/h2_stream.c).
  Apache: [400, 408, 414, 431, 501, 505],
  // What RFC 9110 (section 15.5) lets a server decide from a length, an expectation or a version alone.
  others: [411, 413, 417, 426],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** The statuses of any server. */
export const REFUSALS: ReadonlySet<number> = new Set(Object.values(BY_SERVER).flat());

/**
 * Returns the statuses of a server; those of any if it is unknown. Envoy has all headers or none, which its logs show
 * (ConnectionManagerImpl::ActiveStream::decodeHeaders in source/common/http/conn_manager_impl.cc).
 */
export function refusalsOf(server: 'nginx' | 'Apache' | 'Envoy' | undefined): ReadonlySet<number> {
  return server === 'nginx' || server === 'Apache' ? new Set(BY_SERVER[server]) : REFUSALS;
}

/** Returns whether a recorded status is one of some, or none that a server sends: nginx writes 000 if it answered nothing, and HAProxy -1. */
export function isRefusal(status: unknown, refusals: ReadonlySet<number>): boolean {
  if (status === undefined || status === null) return false;
  const number = statusIn(status);
  return number === undefined || refusals.has(number);
}

/** The form of statuses that need not be read to know that a request was not refused, unless they are in {@link REFUSALS}. */
const USUAL = /^[1-9]\d\d$/;

/** Returns a status if the request may have been refused; most were not. */
export function unusualStatus(status: unknown): unknown {
  if (typeof status !== 'number' && typeof status !== 'string') return status ?? undefined;
  return USUAL.test(String(status)) && !REFUSALS.has(Number(status)) ? undefined : status;
}

/** What a record says of how far its request was read. */
export interface ReadState {
  /** Whether the server may have answered before it had read all headers. Then a sign for a missing header, or one value of several, says nothing. */
  readonly isRefused: boolean;
  /** Whether it logged nothing of the request itself. If it was refused too, null says as little. */
  readonly isUnread: boolean;
}

/** Of messages that were read to their end. */
export const WHOLE: ReadState = { isRefused: false, isUnread: false };

/** Returns how far the request of a record was read whose method is known. */
export function readStateAt(status: unknown, refusals = REFUSALS): ReadState {
  return isRefusal(status, refusals) ? REFUSED : WHOLE;
}

const REFUSED: ReadState = { isRefused: true, isUnread: false };
