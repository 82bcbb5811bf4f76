import { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { runtimePattern } from './runtime-pattern.ts';

/**
 * `matches` with a pattern that is not a constant of the program. Straight to the RE2 engine: what finds a quicker one for
 * constants would be 6.7 kB of the 15 that the whole runtime takes compressed, for patterns that are rare.
 */
export function matchesPattern(context: RunContext, text: string, pattern: string): boolean | EvaluationError {
  const compiled = runtimePattern(context, pattern, text);
  return compiled instanceof EvaluationError ? compiled : compiled.test(text);
}
