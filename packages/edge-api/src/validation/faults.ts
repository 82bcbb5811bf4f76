// Faults of requests, their messages, and the response that lists them.

import {
  DEFAULT_ERROR_PREFIX,
  type ErrorNumber,
  errorFact,
  errorMessage,
  type MessageParts,
} from '../contract/errors.ts';
import { shapeOf } from '../contract/shapes.ts';
import type { FieldType } from '../definition/field.ts';
import type { ErrorBody } from '../definition/wire.ts';

/** A fault in a request. */
export interface Fault {
  /** The path of the field in the body, such as `circuit_breaker.num_buckets` or `actions[0].type`; empty for the body itself. */
  readonly field: string;
  readonly code: ErrorNumber;
  readonly message: string;
  /** How many characters of the request a response with this fault repeats. */
  readonly echoed: number;
}

/** A path in a body. */
export type Path = readonly PropertyKey[];

/** Formats a path for messages. Names that a request has made up may be of any length. */
function fieldPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? shown(String(key)) : `${text}.${shown(String(key))}`;
  }, '');
}

/** Names of the contract are shorter; longer ones are from the request. */
const LONGEST_NAME = 40;
/** The most characters of a value in a message. Most values are cut to {@link MAX_QUOTED} before; findings in policies are longer. */
const MAX_VALUE = 300;

/** Returns a fault at a path. @param quoted how many characters of `parts.value` are from the request; all of them if absent */
export function faultAt(path: Path, code: ErrorNumber, parts: MessageParts = {}, quoted?: number): Fault {
  const field = fieldPath(path);
  const { value = '' } = parts;
  const cut = value.length > MAX_VALUE ? { ...parts, value: `${value.slice(0, MAX_VALUE)}…` } : parts;
  const names = path.filter(key => typeof key === 'string' && key.length > LONGEST_NAME).map(key => shown(key).length);
  const echoed = Math.min(quoted ?? value.length, MAX_VALUE) + names.reduce((sum, length) => sum + length * 2, 0);
  return { field, code, message: errorMessage(code, { field, ...cut }), echoed };
}

const MAX_QUOTED = 100;

/** Formats a value for messages: strings as they are, other values as JSON, truncated to 100 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** Describes the expected type in a message. */
export function expectedOf(type: FieldType | undefined): string {
  switch (type?.kind) {
    case 'text':
      return type.reference === undefined ? 'a string' : 'an identifier';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'list':
      return 'a list';
    default:
      return 'an object';
  }
}

/** Describes the type of a value that must not be shown. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Returns the message parts for a missing value: its choices, or its type. */
export function missingParts(type: FieldType | undefined): MessageParts {
  const names = choicesOf(type);
  return { isMissing: true, expected: names.length > 0 ? quoted(names) : expectedOf(type) };
}

function choicesOf(type: FieldType | undefined): readonly string[] {
  if (type?.kind === 'text') return type.oneOf?.values ?? [];
  if (type?.kind !== 'shape') return [];
  const rule = shapeOf(type.request ?? type.name).rules?.find(({ kind }) => kind === 'exactly-one');
  return rule?.kind === 'exactly-one' ? rule.of : [];
}

/** Quotes and joins names for a message. */
export function quoted(names: readonly string[]): string {
  return names.map(name => `'${name}'`).join(', ');
}

/** Returns the code of an error, such as `ERR_EDGE_7117`. */
export function errorCode(number: number, prefix: string = DEFAULT_ERROR_PREFIX): string {
  return `${prefix}${number}`;
}

/** The maximum number of faults in a response. */
const MAX_FAULTS = 50;
/** The most characters of the request that a response repeats; more would make the server a mirror. */
const MAX_ECHOED = 1000;

/**
 * Returns the body of an error response. Code and status are those of the first fault, because clients compare one code; the message has
 * one line per fault. `details.field` is the field of the first fault; `details.faults` lists all faults as JSON if there are several.
 */
export function faultsBody(
  faults: readonly [Fault, ...Fault[]],
  { operationId, prefix }: { readonly operationId: string; readonly prefix?: string },
): ErrorBody {
  const [first] = faults;
  const some = faults.slice(0, countShown(faults));
  const coded = some.map(({ field, code, message }) => ({ field, code: errorCode(code, prefix), message }));
  const lines = some.map(({ message }) => message);
  if (faults.length > some.length) lines.push(`And ${faults.length - some.length} more.`);
  return {
    error_code: errorCode(first.code, prefix),
    status_code: errorFact(first.code)?.status ?? 400,
    msg: lines.join('\n'),
    details: {
      operation_id: operationId,
      ...(first.field === '' ? {} : { field: first.field }),
      ...(faults.length > 1 ? { faults: JSON.stringify(coded) } : {}),
    },
  };
}

/** Returns how many faults a response shows: each of several is in the message and in the details. The first is always shown. */
function countShown(faults: readonly Fault[]): number {
  let echoed = 0;
  const beyond = faults.findIndex((fault, index) => {
    echoed += fault.echoed * 2;
    return index > 0 && (index === MAX_FAULTS || echoed > MAX_ECHOED);
  });
  return beyond < 0 ? faults.length : beyond;
}
