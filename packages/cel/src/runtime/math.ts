// Bits, extremes and rounding of the math library.

import type { Integer } from '../ast/ast.ts';
import { EMPTY_LIST, NEGATIVE_COUNT, NO_MATCHING_OVERLOAD, UNORDERED } from '../values/errors.ts';
import { canonical, lessThan, negateInt } from '../values/numbers.ts';
import { type EvaluationError, NonValue, type Value } from '../values/value.ts';
import { numberIn } from './equality.ts';
import { boxDouble, boxUint, fromHost, type HostReader, readDouble, readInt, readUint } from './host.ts';

// 64-bit two's complement. `and`, `or` and `xor` of bigints have the same result for ints and uints in range.

export function bitAnd(a: Integer, b: Integer): Integer {
  return canonical(BigInt(a) & BigInt(b));
}

export function bitOr(a: Integer, b: Integer): Integer {
  return canonical(BigInt(a) | BigInt(b));
}

export function bitXor(a: Integer, b: Integer): Integer {
  return canonical(BigInt(a) ^ BigInt(b));
}

export function bitNotInt(value: Integer): Integer {
  return canonical(~BigInt(value));
}

export function bitNotUint(value: Integer): Integer {
  return canonical(BigInt.asUintN(64, ~BigInt(value)));
}

export function shiftLeftInt(value: Integer, places: Integer): Integer | EvaluationError {
  return shifted(places, by => BigInt.asIntN(64, BigInt(value) << by));
}

export function shiftLeftUint(value: Integer, places: Integer): Integer | EvaluationError {
  return shifted(places, by => BigInt.asUintN(64, BigInt(value) << by));
}

/** Shifts in zeros, whatever the sign. */
export function shiftRightInt(value: Integer, places: Integer): Integer | EvaluationError {
  return shifted(places, by => BigInt.asIntN(64, BigInt.asUintN(64, BigInt(value)) >> by));
}

export function shiftRightUint(value: Integer, places: Integer): Integer | EvaluationError {
  return shifted(places, by => BigInt(value) >> by);
}

function shifted(places: Integer, shift: (by: bigint) => bigint): Integer | EvaluationError {
  if (places < 0) return NEGATIVE_COUNT;
  return places > 63 ? 0 : canonical(shift(BigInt(places)));
}

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

export function ceiling(value: number): number {
  return Math.ceil(value);
}

export function floor(value: number): number {
  return Math.floor(value);
}

/** Rounds halves away from zero, unlike JavaScript. Subtracting the integral part is exact; adding a half would not be. */
export function round(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

export function truncate(value: number): number {
  return Math.trunc(value);
}

export function squareRoot(value: Integer): number {
  return Math.sqrt(Number(value));
}

export function isInfinite(value: number): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

export function isNotANumber(value: number): boolean {
  return Number.isNaN(value);
}

export function isFiniteNumber(value: number): boolean {
  return Number.isFinite(value);
}

export function absoluteInt(value: Integer): Integer | EvaluationError {
  return value < 0 ? negateInt(value) : value;
}

export function absoluteDouble(value: number): number {
  return Math.abs(value);
}

/** Returns the sign of an int or uint. */
export function signOfInteger(value: Integer): number {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/** Returns 0 for negative zero. */
export function signOfDouble(value: number): number {
  return Math.sign(value) + 0;
}
