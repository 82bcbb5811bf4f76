import type { Integer } from '../../ast/ast.ts';
import { lessThan } from '../../values/comparison.ts';
import { NO_MATCHING_OVERLOAD } from '../../values/errors.ts';
import { EMPTY_LIST, UNORDERED } from '../../values/extension-errors.ts';
import { NonValue, type Value } from '../../values/value.ts';
import { numberIn } from '../collections/equality.ts';
import { fromHost } from '../host/from-host.ts';
import { boxDouble, boxUint, type HostReader, readDouble, readInt, readUint } from '../host/host.ts';

// Orders numbers like `<`. Of equal numbers the first is returned; NaN next to another number is an error, as in the reference
// implementation.

export function least<T extends Integer>(a: T, b: T): T {
  return b < a ? b : a;
}

export function greatest<T extends Integer>(a: T, b: T): T {
  return b > a ? b : a;
}

export function leastDouble(a: number, b: number): Value | NonValue {
  return isUnordered(a, b) ? UNORDERED : least(a, b);
}

export function greatestDouble(a: number, b: number): Value | NonValue {
  return isUnordered(a, b) ? UNORDERED : greatest(a, b);
}

function isUnordered(a: Integer, b: Integer): boolean {
  return Number.isNaN(a) || Number.isNaN(b);
}

// For operands of two types; the result keeps its own type.

export function leastIntUint(a: Integer, b: Integer): Value {
  return b < a ? boxUint(b) : a;
}

export function leastIntDouble(a: Integer, b: number): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(b, a) ? boxDouble(b) : a;
}

export function leastUintInt(a: Integer, b: Integer): Value {
  return b < a ? b : boxUint(a);
}

export function leastUintDouble(a: Integer, b: number): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(b, a) ? boxDouble(b) : boxUint(a);
}

export function leastDoubleInt(a: number, b: Integer): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(b, a) ? b : boxDouble(a);
}

export function leastDoubleUint(a: number, b: Integer): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(b, a) ? boxUint(b) : boxDouble(a);
}

export function greatestIntUint(a: Integer, b: Integer): Value {
  return b > a ? boxUint(b) : a;
}

export function greatestIntDouble(a: Integer, b: number): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(a, b) ? boxDouble(b) : a;
}

export function greatestUintInt(a: Integer, b: Integer): Value {
  return b > a ? b : boxUint(a);
}

export function greatestUintDouble(a: Integer, b: number): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(a, b) ? boxDouble(b) : boxUint(a);
}

export function greatestDoubleInt(a: number, b: Integer): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(a, b) ? b : boxDouble(a);
}

export function greatestDoubleUint(a: number, b: Integer): Value | NonValue {
  if (isUnordered(a, b)) return UNORDERED;
  return lessThan(a, b) ? boxUint(b) : boxDouble(a);
}

export function leastOfInts(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readInt, isLess);
}

export function leastOfUints(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readUint, isLess);
}

export function leastOfDoubles(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readDouble, isLess);
}

/** For numbers of several types. */
export function leastOfNumbers(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readNumber, isLess);
}

export function greatestOfInts(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readInt, isGreater);
}

export function greatestOfUints(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readUint, isGreater);
}

export function greatestOfDoubles(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readDouble, isGreater);
}

/** For numbers of several types. */
export function greatestOfNumbers(list: readonly unknown[]): Value | NonValue {
  return extremeOf(list, readNumber, isGreater);
}

function isLess(a: Value, b: Value): boolean {
  return lessThan(numberIn(a)!, numberIn(b)!);
}

function isGreater(a: Value, b: Value): boolean {
  return lessThan(numberIn(b)!, numberIn(a)!);
}

function readNumber(element: unknown): Value | NonValue {
  const value = fromHost(element);
  return value instanceof NonValue || numberIn(value) !== undefined ? value : NO_MATCHING_OVERLOAD;
}

function extremeOf(
  list: readonly unknown[],
  read: HostReader,
  isBeyond: (a: Value, b: Value) => boolean,
): Value | NonValue {
  let extreme: Value | undefined;
  for (const element of list) {
    const value = read(element);
    if (value instanceof NonValue) return value;
    if (extreme !== undefined && isUnordered(numberIn(extreme)!, numberIn(value)!)) return UNORDERED;
    if (extreme === undefined || isBeyond(value, extreme)) extreme = value;
  }
  return extreme ?? EMPTY_LIST;
}
