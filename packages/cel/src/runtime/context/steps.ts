import { OUT_OF_STEPS } from '../../values/errors.ts';
import { type EvaluationError, Optional } from '../../values/value.ts';
import type { RunContext } from './implementation.ts';

/** So many characters or bytes are one step: looking at one takes far less time than going round a loop. */
const CHARACTERS_PER_STEP = 16;

/** What it takes to look at all of a value, or to make it: its characters, elements or entries, not what is inside those. */
export function stepsOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_PER_STEP);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Uint8Array) return Math.floor(value.length / CHARACTERS_PER_STEP);
  return value instanceof Optional ? stepsOf(value.value) : 0;
}

/** Takes the steps of looking at a value, and gives the value. */
export function looked<T>(context: RunContext, value: T): T {
  context.left -= stepsOf(value);
  return value;
}

/** Takes the steps of making a value. Gives the value, or an error when too many have been taken. */
export function made<T>(context: RunContext, value: T): T | EvaluationError {
  context.left -= stepsOf(value);
  return context.left < 0 ? OUT_OF_STEPS : value;
}
