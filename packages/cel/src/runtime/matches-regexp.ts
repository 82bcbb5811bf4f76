import { compileMatcher } from '../regex/compile-matcher.ts';
import { isPatternTooLarge } from '../regex/pattern.ts';
import { OUT_OF_STEPS, PATTERN_TOO_LARGE } from '../values/errors.ts';
import { EvaluationError } from '../values/value.ts';
import type { RunContext } from './context.ts';

/**
 * Implements `matches` without the RE2 engine, for a pattern that is computed at run time: patterns that V8 cannot run in linear time are
 * `eval/no-pattern-engine`.
 */
export function matchesRegExp(context: RunContext, text: string, pattern: string): boolean | EvaluationError {
  const failure = chargePattern(context, pattern, text);
  if (failure !== undefined) return failure;
  const compiled = context.regexps.get(pattern, source => compileMatcher(source, context.limits));
  return compiled instanceof EvaluationError ? compiled : compiled.test(text);
}

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
