import type { Integer } from '../../ast/ast.ts';
import {
  DOUBLE_OVERFLOW,
  INT_OVERFLOW,
  INVALID_DOUBLE,
  INVALID_INT,
  INVALID_UINT,
  UINT_OVERFLOW,
} from '../../values/errors.ts';
import { toInt64, toUint64 } from '../../values/integer.ts';
import type { EvaluationError } from '../../values/value.ts';

export function uintToInt(value: Integer): Integer | EvaluationError {
  return typeof value === 'number' ? value : toInt64(value);
}

export function intToUint(value: Integer): Integer | EvaluationError {
  return value < 0 ? UINT_OVERFLOW : value;
}

/** Excludes -2^63 itself, which a double cannot distinguish from its neighbors (the conformance suite's `double_int_min_range`). */
export function doubleToInt(value: number): Integer | EvaluationError {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return INT_OVERFLOW;
  return truncated(value);
}

export function doubleToUint(value: number): Integer | EvaluationError {
  if (!(value >= 0 && value < 2 ** 64)) return UINT_OVERFLOW;
  return truncated(value);
}

/** Truncates a double within the range of integers. */
function truncated(value: number): Integer {
  const whole = Math.trunc(value) + 0;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

export function integerToDouble(value: Integer): number {
  return Number(value);
}

export function stringToInt(text: string): Integer | EvaluationError {
  if (!/^[+-]?\d+$/.test(text)) return INVALID_INT;
  const big = readDigits(text);
  return big === undefined ? INT_OVERFLOW : toInt64(big);
}

export function stringToUint(text: string): Integer | EvaluationError {
  if (!/^\d+$/.test(text)) return INVALID_UINT;
  const big = readDigits(text);
  return big === undefined ? UINT_OVERFLOW : toUint64(big);
}

/** Returns undefined for more digits than 64 bits need, because parsing a bigint is not linear in their number. */
function readDigits(text: string): bigint | undefined {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 20) return undefined;
  const size = BigInt(digits);
  return text.startsWith('-') ? -size : size;
}

// `\d+\.?\d*` would be equivalent but takes quadratic time.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITY = /^[+-]?inf(?:inity)?$/i;

/** A number that becomes infinite by rounding is out of range; `inf` and `NaN` are valid spellings. */
export function stringToDouble(text: string): number | EvaluationError {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : DOUBLE_OVERFLOW;
  }
  if (INFINITY.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return text.toLowerCase() === 'nan' ? Number.NaN : INVALID_DOUBLE;
}
