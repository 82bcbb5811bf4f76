import { type ErrorNumber, type Fault, faultAt, type MessageParts, PLAIN_ERRORS } from '@tollgate/edge-api';

/** Why a request is refused: faults with codes, or an error without one. */
export type Refusal =
  | { readonly kind: 'faults'; readonly faults: readonly [Fault, ...Fault[]]; readonly details?: Details }
  | { readonly kind: 'plain'; readonly error: keyof typeof PLAIN_ERRORS; readonly details?: Details };

/** Additional details of an error response. */
export type Details = Readonly<Record<string, string>>;

/** Aborts a request and rolls back its transaction. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly refusal: Refusal;
  /** Seconds after which the client may retry. */
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal, retryAfter?: number) {
    super(refusal.kind === 'faults' ? refusal.faults[0].message : PLAIN_ERRORS[refusal.error].message);
    this.refusal = refusal;
    this.retryAfter = retryAfter;
  }
}

/** Returns the error for a record that does not exist or a module that is not configured. */
export function notFound(): ApiError {
  return new ApiError({ kind: 'plain', error: 'not-found' });
}

/** Returns an error with a single fault. */
export function refused(code: ErrorNumber, parts: MessageParts = {}, field = ''): ApiError {
  return new ApiError({ kind: 'faults', faults: [faultAt(field === '' ? [] : [field], code, parts)] });
}

/** Throws an ApiError if there are any faults. */
export function refuseAny(faults: readonly Fault[], details?: Details): void {
  const [first, ...others] = faults;
  if (first) throw new ApiError({ kind: 'faults', faults: [first, ...others], ...(details && { details }) });
}
