/** What a call came to. */
export type Result<T> = Success<T> | Failure;

/** A call that was answered as described. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  readonly status: number;
  /** The server's name for this exchange. */
  readonly operationId: string | undefined;
  /** The state of the record, to bind a later change to. */
  readonly etag: string | undefined;
}

/** A call that was not. */
export interface Failure {
  readonly ok: false;
  readonly error: CallError;
}

/** Why a call failed. */
export type CallError = AnsweredError | OtherError;

/** The server answered with an error. */
export interface AnsweredError {
  readonly kind: 'answered';
  readonly status: number;
  /** `ERR_EDGE_7117`; undefined where the family has no number for the error. */
  readonly code: string | undefined;
  /** The number alone, whatever the server's prefix is. */
  readonly number: number | undefined;
  readonly message: string;
  readonly details: Readonly<Record<string, string>>;
  readonly operationId: string | undefined;
}

/**
 * The server did not answer (`network`, `timeout`), not with what the API answers (`malformed`), was no longer waited for
 * (`aborted`), or was not asked, because the input cannot be sent (`input`).
 */
export interface OtherError {
  readonly kind: 'network' | 'timeout' | 'aborted' | 'malformed' | 'input';
  readonly message: string;
  readonly cause?: unknown;
  /** The status of a malformed answer. */
  readonly status?: number;
}

/** A failure that no answer of the API's says. */
export function failure(
  kind: OtherError['kind'],
  message: string,
  facts: Pick<OtherError, 'cause' | 'status'> = {},
): Failure {
  return { ok: false, error: { kind, message, ...facts } };
}
