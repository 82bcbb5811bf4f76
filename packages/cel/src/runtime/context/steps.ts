import { OUT_OF_STEPS } from '../../values/errors.ts';
import { type EvaluationError, Optional } from '../../values/value.ts';
import type { RunContext } from './implementation.ts';

/** Reading this many characters or bytes is one step, because it takes far less time than an iteration of a loop. */
const CHARACTERS_PER_STEP = 16;

/** Returns the steps of reading or creating a whole value: its characters, elements or entries, without what is inside those. */
export function stepsOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_PER_STEP);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Uint8Array) return Math.floor(value.length / CHARACTERS_PER_STEP);
  return value instanceof Optional ? stepsOf(value.value) : 0;
}

/** Charges the budget for reading a value, and returns the value. */
export function chargeRead<T>(context: RunContext, value: T): T {
  context.left -= stepsOf(value);
  return value;
}

/** Charges the budget for creating a value. Returns the value, or an error if the budget is exceeded. */
export function chargeResult<T>(context: RunContext, value: T): T | EvaluationError {
  context.left -= stepsOf(value);
  return context.left < 0 ? OUT_OF_STEPS : value;
}
