import { type ErrorNumber, errorMessage, type MessageParts } from '../contract/errors.ts';

/** One thing that is wrong with a request. */
export interface Fault {
  /** Path of the field within the body, `circuit_breaker.num_buckets` or `actions[0].type`; empty for the body itself. */
  readonly field: string;
  readonly code: ErrorNumber;
  readonly message: string;
}

/** A path within a body. */
export type Path = readonly PropertyKey[];

/** A path as messages write it. */
export function fieldPath(path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );
}

/** A fault at a path. */
export function faultAt(path: Path, code: ErrorNumber, parts: MessageParts = {}): Fault {
  const field = fieldPath(path);
  return { field, code, message: errorMessage(code, { field, ...parts }) };
}

const SHOWN = 100;

/** A value as messages show it: JSON, cut after 100 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
