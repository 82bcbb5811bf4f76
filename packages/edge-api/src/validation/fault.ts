import { type ErrorNumber, errorMessage, type MessageParts } from '../contract/errors.ts';

/** A fault in a request. */
export interface Fault {
  /** The path of the field in the body, such as `circuit_breaker.num_buckets` or `actions[0].type`; empty for the body itself. */
  readonly field: string;
  readonly code: ErrorNumber;
  readonly message: string;
}

/** A path in a body. */
export type Path = readonly PropertyKey[];

/** Formats a path for messages. */
function fieldPath(path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );
}

/** Returns a fault at a path. */
export function faultAt(path: Path, code: ErrorNumber, parts: MessageParts = {}): Fault {
  const field = fieldPath(path);
  return { field, code, message: errorMessage(code, { field, ...parts }) };
}

const SHOWN = 100;

/** Formats a value for messages: strings as they are, other values as JSON, truncated to 100 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
