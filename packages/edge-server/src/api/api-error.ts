import { type ErrorNumber, type Fault, faultAt, type MessageParts, PLAIN_ERRORS } from '@tollgate/edge-api';

/** What a request is refused with. */
export type Refusal =
  | { readonly kind: 'faults'; readonly faults: readonly [Fault, ...Fault[]]; readonly details?: Details }
  | { readonly kind: 'plain'; readonly error: keyof typeof PLAIN_ERRORS; readonly details?: Details };

/** More that an error's answer says. */
export type Details = Readonly<Record<string, string>>;

/** Ends the work on a request; the transaction is lost with it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly refusal: Refusal;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal, retryAfter?: number) {
    super(refusal.kind === 'faults' ? refusal.faults[0].message : PLAIN_ERRORS[refusal.error].message);
    this.refusal = refusal;
    this.retryAfter = retryAfter;
  }
}

/** The record of the path does not exist, or the module is not configured. */
export function notFound(): ApiError {
  return new ApiError({ kind: 'plain', error: 'not-found' });
}

/** One fault, at a field or nowhere. */
export function refused(code: ErrorNumber, parts: MessageParts = {}, field = ''): ApiError {
  return new ApiError({ kind: 'faults', faults: [faultAt(field === '' ? [] : [field], code, parts)] });
}

/** Ends the work when there are any faults. */
export function refuseAny(faults: readonly Fault[], details?: Details): void {
  const [first, ...others] = faults;
  if (first) throw new ApiError({ kind: 'faults', faults: [first, ...others], ...(details && { details }) });
}
