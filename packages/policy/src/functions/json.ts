import { Buffer } from 'node:buffer';
import { EvaluationError, IpAddress, NonValue, type RunContext, toHost, type Value } from '@tollgate/cel';

const NO_JSON = new EvaluationError('eval/bad-json', 'the string is not JSON');
const NOT_FINITE = new EvaluationError('eval/bad-json', 'JSON cannot represent NaN or infinity');
const NO_NAME = new EvaluationError('eval/bad-json', 'JSON keys must be strings');
const NO_VALUE = new EvaluationError('eval/bad-json', 'JSON cannot represent the value');
const TOO_LONG = new EvaluationError('limit/text-length', 'the JSON is longer than `maxTextLength`');

/** Decodes JSON to plain data, which CEL reads in place. */
export function decodeJson(text: string): Value | EvaluationError {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return NO_JSON;
  }
}

/** Returns true if the string is JSON (RFC 8259). */
export function isJson(text: string): boolean {
  return !(decodeJson(text) instanceof NonValue);
}

/** Encodes a value as JSON with sorted keys; bytes in base64, timestamps and durations as strings. */
export function encodeJson(context: RunContext, value: Value): string | NonValue {
  const text = jsonOf(toHost(value));
  return typeof text === 'string' && text.length > context.limits.maxTextLength ? TOO_LONG : text;
}

function jsonOf(value: unknown): string | NonValue {
  if (value instanceof NonValue) return value;
  if (typeof value === 'number' && !Number.isFinite(value)) return NOT_FINITE;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return 'null';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return joined('[', value.map(jsonOf), ']');
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (value instanceof Map) return NO_NAME;
  // The remaining library types have a string form, or none.
  if (value instanceof IpAddress || Object.getPrototypeOf(value) !== Object.prototype) return NO_VALUE;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return joined('{', members.map(memberOf), '}');
}

function memberOf([name, value]: readonly [string, unknown]): string | NonValue {
  const text = jsonOf(value);
  return typeof text === 'string' ? `${JSON.stringify(name)}:${text}` : text;
}

function joined(open: string, parts: readonly (string | NonValue)[], close: string): string | NonValue {
  return parts.find(part => part instanceof NonValue) ?? `${open}${parts.join(',')}${close}`;
}
