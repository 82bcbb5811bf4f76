import type { OperationId } from '@tollgate/edge-api';

/**
 * A claim about a body. References in bodies are the examples' identifiers (`exampleId`); on a server, they are replaced by those of
 * existing records.
 */
export interface BodyCase {
  /** The claim, as the name of a test. */
  readonly name: string;
  /** The row of the contract's table that it proves. */
  readonly row: string;
  readonly operation: OperationId;
  readonly body: unknown;
  readonly expected: Accepted | Refused;
  /** Only a store can decide it: the validator alone accepts the body. */
  readonly needsStore?: true;
}

/** The body is accepted, and the response has these values at these paths. */
export interface Accepted {
  readonly ok: true;
  readonly answered?: Readonly<Record<string, unknown>>;
}

/** The body is rejected: the first fault has this number, at this path. */
interface Refused {
  readonly ok: false;
  readonly number: number;
  readonly field: string;
}

/** Returns a path in the notation of faults, which cuts names of more than 100 characters. */
export function at(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = key.length > 100 ? `${key.slice(0, 100)}…` : key;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** Returns a copy of a value with another one at a path; undefined removes the member. */
export function withValue(value: unknown, path: readonly (string | number)[], other: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return other;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? value : [];
    return list.with(key, withValue(list[key], rest, other));
  }
  const object = { ...(value as Record<string, unknown>) };
  const inner = withValue(object[key], rest, other);
  if (inner === undefined) delete object[key];
  else object[key] = inner;
  return object;
}
