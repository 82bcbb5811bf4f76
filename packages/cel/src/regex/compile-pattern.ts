import { DEFAULT_LIMITS, type Limits } from '../ast/limits.ts';
import type { EvaluationError } from '../values/value.ts';
import { type CompiledPattern, compileMatcher } from './compile-matcher.ts';
import { compileRe2 } from './re2.ts';

/**
 * Compiles a pattern in RE2 syntax to a matcher that is linear in the length of the input: a string operation, a `RegExp`, or the RE2
 * engine. Returns `regex/invalid-pattern` or `limit/pattern-size` for a bad pattern.
 */
export function compilePattern(
  pattern: string,
  limits: Pick<Limits, 'maxPatternSize'> = DEFAULT_LIMITS,
): CompiledPattern | EvaluationError {
  return compileMatcher(pattern, limits, compileRe2);
}
