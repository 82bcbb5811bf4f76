import { NonValue, Optional, REST_UNKNOWN, Unknown } from '../runtime/value.ts';
import type { Type } from '../types/type.ts';

/** Host data as deep as this is searched; deeper data is taken as known. */
const MAX_DEPTH = 64;

/** Whether a value of the type may have unknown parts: the search for them is left out where it may not. */
export function mayBePartial(type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
    case 'object':
    case 'map':
    case 'list':
      return true;
    case 'optional':
      return mayBePartial(type.value);
    default:
      return false;
  }
}

/** The first unknown inside a value whose every part is needed, or undefined. Linear in the size of the value. */
export function unknownWithin(value: unknown, depth = 0): Unknown | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof NonValue) return value instanceof Unknown ? value : undefined;
  if (depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return unknownAmong(value, depth);
  if (value instanceof Optional) return unknownWithin(value.value, depth);
  const rest = restOf(value);
  if (rest !== undefined) return new Unknown([rest]);
  if (value instanceof Map) return unknownAmong(value.values(), depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? unknownAmong(Object.values(value), depth) : undefined;
}

function unknownAmong(values: Iterable<unknown>, depth: number): Unknown | undefined {
  for (const value of values) {
    if (typeof value !== 'object') continue;
    const unknown = unknownWithin(value, depth + 1);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/** The name of a map or object that is known only in part. */
export function restOf(value: object): string | undefined {
  return (value as { readonly [REST_UNKNOWN]?: string })[REST_UNKNOWN];
}
