import { isPatternTooLarge } from '../regex/pattern-size.ts';
import { compileRe2, type Re2Pattern } from '../regex/re2.ts';
import { PATTERN_TOO_LARGE } from './errors.ts';
import type { RunContext } from './implementation.ts';
import type { EvaluationError } from './value.ts';

/** A pattern that is known only when the expression runs. Those used of late are kept. */
export function patternIn({ limits, patterns }: RunContext, pattern: string): Re2Pattern | EvaluationError {
  return isPatternTooLarge(pattern, limits.maxPatternSize) ? PATTERN_TOO_LARGE : patterns.get(pattern, compileRe2);
}
