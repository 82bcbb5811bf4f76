import { isPatternTooLarge } from '../../regex/pattern/pattern-size.ts';
import { compileRe2, type Re2Pattern } from '../../regex/re2.ts';
import { OUT_OF_STEPS, PATTERN_TOO_LARGE } from '../../values/errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

/** Steps of making a pattern, apart from its length: some 20 µs. */
const STEPS_OF_PATTERN = 32;

/**
 * A pattern that is known only when the expression runs, to be looked for in a text. Those used of late are kept, but making one takes its
 * steps each time: an outcome does not depend on what ran before. The engine takes 0.3 µs for a character, and more for long patterns.
 */
export function patternIn(context: RunContext, pattern: string, text: string): Re2Pattern | EvaluationError {
  const { limits, patterns } = context;
  if (isPatternTooLarge(pattern, limits.maxPatternSize)) return PATTERN_TOO_LARGE;
  context.left -= STEPS_OF_PATTERN + pattern.length + Math.ceil(text.length / 2) * Math.ceil(pattern.length / 16);
  return context.left < 0 ? OUT_OF_STEPS : patterns.get(pattern, compileRe2);
}
