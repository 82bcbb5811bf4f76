import { ACCESS_ERRORS } from './errors/access-errors.ts';
import { API_ERRORS } from './errors/api-errors.ts';
import { BACKEND_ERRORS } from './errors/backend-errors.ts';
import { EDGE_ERRORS } from './errors/edge-errors.ts';
import type { ErrorFact } from './errors/error-fact.ts';
import { EVENT_ERRORS } from './errors/event-errors.ts';
import { POLICY_ERRORS } from './errors/policy-errors.ts';

/** Every error that the API answers with, by its number in the family's number space. */
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

/** What stands before the number in an error's code, unless a server is set up otherwise. */
export const DEFAULT_ERROR_PREFIX = 'ERR_EDGE_';

/** An error by its number: undefined for a number that the API never answers. */
export function errorFact(number: number): ErrorFact | undefined {
  return (ERRORS as Readonly<Record<number, ErrorFact>>)[number];
}

/** Whether the API has an error with this number. */
export function isErrorNumber(number: number): number is ErrorNumber {
  return number in ERRORS;
}

/** What is filled into an error's message. */
export interface MessageParts {
  readonly field?: string;
  readonly value?: string;
  readonly limit?: number | string;
  readonly expected?: string;
  /** Whether there is no value that could be wrong. */
  readonly isMissing?: true;
}

/** An error's message with its parts filled in. */
export function errorMessage(number: ErrorNumber, parts: MessageParts = {}): string {
  const { message } = ERRORS[number];
  const given: Readonly<Record<string, unknown>> = { ...parts };
  // A message that repeats the value has nothing to repeat where there is none.
  const template = parts.isMissing === true && message.includes('{value}') ? MISSING : message;
  return template.replace(/\{(field|value|limit|expected)\}/g, (_, name: string) => String(given[name] ?? ''));
}

const MISSING = "The field '{field}' is missing; expected {expected}.";
