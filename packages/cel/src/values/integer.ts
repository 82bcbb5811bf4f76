import type { Integer } from '../ast/ast.ts';
import { DIVISION_BY_ZERO, INT_OVERFLOW, MODULUS_BY_ZERO, UINT_OVERFLOW } from './errors.ts';
import type { EvaluationError } from './value.ts';

// Numbers on the fast paths are safe integers. A safe result is exact, because a rounded one is never safe. Adding 0 turns the -0 of
// products and remainders into 0.

/** Returns the unique representation of an integer: a number if it is safe, otherwise a bigint. */
export function canonical(big: bigint): Integer {
  const number = Number(big);
  return Number.isSafeInteger(number) ? number : big;
}

export function toInt64(big: bigint): Integer | EvaluationError {
  return BigInt.asIntN(64, big) === big ? canonical(big) : INT_OVERFLOW;
}

export function toUint64(big: bigint): Integer | EvaluationError {
  return BigInt.asUintN(64, big) === big ? canonical(big) : UINT_OVERFLOW;
}

export function addInt(a: Integer, b: Integer): Integer | EvaluationError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt64(BigInt(a) + BigInt(b));
}

export function subtractInt(a: Integer, b: Integer): Integer | EvaluationError {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInt64(BigInt(a) - BigInt(b));
}

export function multiplyInt(a: Integer, b: Integer): Integer | EvaluationError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return toInt64(BigInt(a) * BigInt(b));
}

export function divideInt(a: Integer, b: Integer): Integer | EvaluationError {
  if (b === 0) return DIVISION_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b + 0;
  return toInt64(BigInt(a) / BigInt(b));
}

export function moduloInt(a: Integer, b: Integer): Integer | EvaluationError {
  if (b === 0) return MODULUS_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  return canonical(BigInt(a) % BigInt(b));
}

export function negateInt(a: Integer): Integer | EvaluationError {
  return typeof a === 'number' ? 0 - a : toInt64(-a);
}

export function addUint(a: Integer, b: Integer): Integer | EvaluationError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toUint64(BigInt(a) + BigInt(b));
}

export function subtractUint(a: Integer, b: Integer): Integer | EvaluationError {
  if (a < b) return UINT_OVERFLOW;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return canonical(BigInt(a) - BigInt(b));
}

export function multiplyUint(a: Integer, b: Integer): Integer | EvaluationError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product;
  }
  return toUint64(BigInt(a) * BigInt(b));
}

export function divideUint(a: Integer, b: Integer): Integer | EvaluationError {
  if (b === 0) return DIVISION_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b;
  return canonical(BigInt(a) / BigInt(b));
}

export function moduloUint(a: Integer, b: Integer): Integer | EvaluationError {
  return moduloInt(a, b);
}
