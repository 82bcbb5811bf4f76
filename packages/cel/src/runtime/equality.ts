// Equality of values as the specification defines it, and sets of values by it.

import { OUT_OF_STEPS } from '../values/errors.ts';
import { compareTimes, sameNumber } from '../values/numbers.ts';
import {
  CelDouble,
  CelUint,
  type CidrRange,
  type EvaluationError,
  type IpAddress,
  kindOf,
  type MapKey,
  NonValue,
  type Optional,
  type Timestamp,
  type TypeValue,
  type Value,
} from '../values/value.ts';
import { chargeRead, type RunContext, stepsOf } from './context.ts';
import { fromHost, keysOf, lookUp, type MapValue, mapKeyOf, sizeOfMap } from './host.ts';

/**
 * `_==_` of tagged values. Numbers are compared by mathematical value whatever their types; NaN equals nothing; other values of different
 * types are unequal. Elements that are errors or unknown equal nothing. Returns an error if the comparison exceeds the budget.
 */
export function equals(context: RunContext, a: Value, b: Value): boolean | EvaluationError {
  const same = sameValue(context, a, b);
  return context.left < 0 ? OUT_OF_STEPS : same;
}

/** `_!=_`. */
export function notEquals(context: RunContext, a: Value, b: Value): boolean | EvaluationError {
  const same = equals(context, a, b);
  return typeof same === 'boolean' ? !same : same;
}

/** Like {@link equals}, but the result means nothing once the budget is exceeded. */
export function sameValue(context: RunContext, a: Value, b: Value): boolean {
  if (typeof a === 'string') return typeof b === 'string' && sameString(context, a, b);
  if (typeof a === 'boolean' || a === null) return a === b;
  const x = numberIn(a);
  const y = numberIn(b);
  if (x !== undefined || y !== undefined) return x !== undefined && y !== undefined && sameNumber(x, y);
  return typeof b === 'object' && b !== null && sameObject(context, a, b);
}

/** Returns true if a tagged value is a number equal to this one. */
export function equalsNumber(a: Value, b: number | bigint): boolean {
  const x = numberIn(a);
  return x !== undefined && sameNumber(x, b);
}

function sameString(context: RunContext, a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  context.left -= stepsOf(a);
  return a === b;
}

/** Returns the number in a tagged value of a numeric type; undefined for all other values. */
export function numberIn(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof CelDouble || value instanceof CelUint ? value.value : undefined;
}

function sameObject(context: RunContext, a: Value, b: Value): boolean {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  switch (kind) {
    case 'list':
      return sameList(context, a as readonly Value[], b as readonly Value[]);
    case 'map':
      return sameMap(context, a as MapValue, b as MapValue);
    case 'bytes':
      return sameBytes(chargeRead(context, a as Uint8Array), b as Uint8Array);
    case 'timestamp':
    case 'duration':
      return compareTimes(a as Timestamp, b as Timestamp) === 0;
    case 'type':
      return (a as TypeValue).name === (b as TypeValue).name;
    case 'optional':
      return sameOptional(context, a as Optional, b as Optional);
    case 'ip':
      return sameBytes((a as IpAddress).bytes, (b as IpAddress).bytes);
    default:
      return kind === 'cidr' && sameRange(a as CidrRange, b as CidrRange);
  }
}

/** Like {@link sameValue}, for inner values of lists and maps, which may be unread host data. Each costs a step. */
function sameElement(context: RunContext, a: unknown, b: unknown): boolean {
  context.left -= 1;
  if (context.left < 0) return false;
  const x = fromHost(a);
  const y = fromHost(b);
  return !(x instanceof NonValue) && !(y instanceof NonValue) && sameValue(context, x, y);
}

function sameList(context: RunContext, a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((element, index) => sameElement(context, element, b[index]));
}

function sameMap(context: RunContext, a: MapValue, b: MapValue): boolean {
  const keys = keysOf(a);
  return keys.length === sizeOfMap(b) && keys.every(key => sameEntry(context, [a, b], mapKeyOf(key)!));
}

/** An undefined entry is missing; `sameElement` makes it unequal to everything. */
function sameEntry(context: RunContext, [a, b]: readonly [MapValue, MapValue], key: MapKey): boolean {
  return sameElement(context, lookUp(a, key), lookUp(b, key));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function sameOptional(context: RunContext, a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return sameElement(context, a.value, b.value);
}

function sameRange(a: CidrRange, b: CidrRange): boolean {
  return a.prefixLength === b.prefixLength && sameBytes(a.ip.bytes, b.ip.bytes);
}

/** A set of tagged values under `_==_`. Scalars are found by hashing, other values by comparison; each comparison costs a step. */
export class ValueSet {
  readonly #context: RunContext;
  readonly #scalars = new Set<unknown>();
  readonly #others: Value[] = [];

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** Returns false if the set already contains an equal value. */
  add(value: Value): boolean {
    if (this.has(value)) return false;
    if (isScalar(value)) this.#scalars.add(scalarKey(value));
    else this.#others.push(value);
    return true;
  }

  has(value: Value): boolean {
    // NaN equals nothing, although a JavaScript set finds it.
    if (isScalar(value)) return !Number.isNaN(numberIn(value)) && this.#scalars.has(scalarKey(value));
    return this.#others.some(other => {
      this.#context.left -= 1;
      // The result means nothing once the budget is exceeded; the caller checks that.
      return this.#context.left < 0 || sameValue(this.#context, value, other);
    });
  }
}

function isScalar(value: Value): boolean {
  return typeof value !== 'object' || value === null || numberIn(value) !== undefined;
}

/** Equal numbers of different types have the same key. */
function scalarKey(value: Value): unknown {
  return value === null ? null : (mapKeyOf(value) ?? numberIn(value));
}
