import { ACCESS_ERRORS } from './errors/access-errors.ts';
import { API_ERRORS } from './errors/api-errors.ts';
import { BACKEND_ERRORS } from './errors/backend-errors.ts';
import { EDGE_ERRORS } from './errors/edge-errors.ts';
import type { ErrorFact } from './errors/error-fact.ts';
import { EVENT_ERRORS } from './errors/event-errors.ts';
import { POLICY_ERRORS } from './errors/policy-errors.ts';

/** Every error of the API, by its number. */
export const ERRORS = {
  ...API_ERRORS,
  ...EDGE_ERRORS,
  ...POLICY_ERRORS,
  ...BACKEND_ERRORS,
  ...ACCESS_ERRORS,
  ...EVENT_ERRORS,
} as const satisfies Record<number, ErrorFact>;

/** The number of an error. */
export type ErrorNumber = keyof typeof ERRORS;

/** The default prefix of error codes. */
export const DEFAULT_ERROR_PREFIX = 'ERR_EDGE_';

/** Returns the error with this number, or undefined. */
export function errorFact(number: number): ErrorFact | undefined {
  return (ERRORS as Readonly<Record<number, ErrorFact>>)[number];
}

/** Returns true if the API has an error with this number. */
export function isErrorNumber(number: number): number is ErrorNumber {
  return number in ERRORS;
}

/** Values for the placeholders of an error message. */
export interface MessageParts {
  readonly field?: string;
  readonly value?: string;
  readonly limit?: number | string;
  readonly expected?: string;
  /** Set if the value is missing rather than wrong. */
  readonly isMissing?: true;
}

/** Returns an error message with its placeholders filled in. */
export function errorMessage(number: ErrorNumber, parts: MessageParts = {}): string {
  const { message } = ERRORS[number];
  const given: Readonly<Record<string, unknown>> = { ...parts };
  // Messages that quote the value do not work if it is missing.
  const template = parts.isMissing === true && message.includes('{value}') ? MISSING : message;
  return template.replace(/\{(field|value|limit|expected)\}/g, (_, name: string) => String(given[name] ?? ''));
}

const MISSING = "The field '{field}' is missing; expected {expected}.";
