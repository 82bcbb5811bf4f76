// Refusals of requests, and access to the members of JSON bodies.

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

/** A parsed JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Parses a stored body. */
export function parseBody(body: string): Members {
  const value: unknown = JSON.parse(body);
  return isMembers(value) ? value : {};
}

/** Returns true if the value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member if it is an object. */
export function membersAt(from: Members, key: string): Members | undefined {
  const value = from[key];
  return isMembers(value) ? value : undefined;
}

/** Returns a member if it is a string. */
export function stringAt(from: Members, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the strings of a member that is a list; empty otherwise. */
export function stringsAt(from: Members, key: string): readonly string[] {
  const value: unknown = from[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
