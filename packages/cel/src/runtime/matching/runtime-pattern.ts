import { compileRe2, type Re2Pattern } from '../../regex/re2.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { chargePattern } from './charge-pattern.ts';

/** Compiles a pattern that is known only at run time, to be matched against a string, or returns the cached one. */
export function runtimePattern(context: RunContext, pattern: string, text: string): Re2Pattern | EvaluationError {
  return chargePattern(context, pattern, text) ?? context.patterns.get(pattern, compileRe2);
}
