import type { Activation } from '../environment/program.ts';
import { CelDouble } from '../values/value.ts';

/**
 * Returns a copy of host data in which every number is a CEL double, including whole numbers, which otherwise are ints. Bigints stay ints.
 * Arrays, Maps and plain objects are copied recursively, cycles included; other objects are kept.
 */
export function numbersAsDoubles(data: Activation): Activation {
  return copy(data, new Map()) as Activation;
}

function copy(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value === 'number') return new CelDouble(value);
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const element of value) list.push(copy(element, copies));
    return list;
  }
  if (value.constructor === Map) {
    const map = new Map<unknown, unknown>();
    copies.set(value, map);
    for (const [key, held] of value as Map<unknown, unknown>) map.set(key, copy(held, copies));
    return map;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const object: Record<string, unknown> = Object.create(prototype);
  copies.set(value, object);
  for (const [key, held] of Object.entries(value)) {
    Object.defineProperty(object, key, { value: copy(held, copies), enumerable: true, writable: true });
  }
  return object;
}
