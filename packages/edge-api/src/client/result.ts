/** The result of a call. */
export type Result<T> = Success<T> | Failure;

/** A successful call. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  readonly status: number;
  /** The server's id of the request. */
  readonly operationId: string | undefined;
  /** The state of the record, for `ifMatch` of a later change. */
  readonly etag: string | undefined;
}

/** A failed call. */
export interface Failure {
  readonly ok: false;
  readonly error: CallError;
}

/** Why a call failed. */
export type CallError = AnsweredError | OtherError;

/** An error response of the server. */
export interface AnsweredError {
  readonly kind: 'answered';
  readonly status: number;
  /** The error code, such as `ERR_EDGE_7117`; undefined for errors without a number. */
  readonly code: string | undefined;
  /** The number in the code, independent of the server's prefix. */
  readonly number: number | undefined;
  readonly message: string;
  readonly details: Readonly<Record<string, string>>;
  readonly operationId: string | undefined;
  /** How long the server asks to wait before the next request, in milliseconds; undefined if it does not say. */
  readonly retryAfterMs?: number;
}

/**
 * A call without an error response: no response (`network`, `timeout`), an unexpected response (`malformed`), one that refers to another URL
 * (`redirected`), a call that was `aborted`, or an `input` that cannot be sent.
 */
export interface OtherError {
  readonly kind: 'network' | 'timeout' | 'aborted' | 'malformed' | 'redirected' | 'input';
  readonly message: string;
  readonly cause?: unknown;
  /** The status of a malformed response, or of a redirect. */
  readonly status?: number;
  /** The URL that a redirect refers to, if the platform reveals it. Nothing was sent there. */
  readonly location?: string;
}

/** Returns a failure without an error response of the API. */
export function failure(
  kind: OtherError['kind'],
  message: string,
  facts: Pick<OtherError, 'cause' | 'status' | 'location'> = {},
): Failure {
  return { ok: false, error: { kind, message, ...facts } };
}
