import type { Integer } from '../../ast/ast.ts';
import { negateInt } from '../../values/integer.ts';
import type { EvaluationError } from '../../values/value.ts';

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
