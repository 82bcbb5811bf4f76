import { type ErrorNumber, errorMessage, type MessageParts } from '../contract/errors.ts';

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
/** The most characters of a value in a message. Most values are cut to {@link SHOWN} before; findings in policies are longer. */
const MOST = 300;

/** Returns a fault at a path. @param quoted how many characters of `parts.value` are from the request; all of them if absent */
export function faultAt(path: Path, code: ErrorNumber, parts: MessageParts = {}, quoted?: number): Fault {
  const field = fieldPath(path);
  const { value = '' } = parts;
  const cut = value.length > MOST ? { ...parts, value: `${value.slice(0, MOST)}…` } : parts;
  const names = path.filter(key => typeof key === 'string' && key.length > LONGEST_NAME).map(key => shown(key).length);
  const echoed = Math.min(quoted ?? value.length, MOST) + names.reduce((sum, length) => sum + length * 2, 0);
  return { field, code, message: errorMessage(code, { field, ...cut }), echoed };
}

const SHOWN = 100;

/** Formats a value for messages: strings as they are, other values as JSON, truncated to 100 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
