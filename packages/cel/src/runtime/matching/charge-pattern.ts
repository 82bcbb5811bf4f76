import { isPatternTooLarge } from '../../regex/pattern/pattern-size.ts';
import { OUT_OF_STEPS, PATTERN_TOO_LARGE } from '../../values/errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

/** What compiling a pattern costs, about 20 µs. */
const STEPS_OF_PATTERN = 32;

/**
 * Charges the budget for compiling a pattern at run time and matching a string with it; returns the error if the pattern is too large or
 * the budget is exhausted. Compiled patterns are cached but always charged, so that a result does not depend on what ran before. RE2 takes
 * 0.3 µs per character, and more for long patterns.
 */
export function chargePattern(context: RunContext, pattern: string, text: string): EvaluationError | undefined {
  if (isPatternTooLarge(pattern, context.limits.maxPatternSize)) return PATTERN_TOO_LARGE;
  context.left -= STEPS_OF_PATTERN + pattern.length + Math.ceil(text.length / 2) * Math.ceil(pattern.length / 16);
  return context.left < 0 ? OUT_OF_STEPS : undefined;
}
