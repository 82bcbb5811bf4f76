import type { Integer } from '../../ast/ast.ts';
import { NEGATIVE_COUNT } from '../../values/extension-errors.ts';
import { canonical } from '../../values/integer.ts';
import type { EvaluationError } from '../../values/value.ts';

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
