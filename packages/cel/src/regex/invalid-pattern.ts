import { EvaluationError } from '../values/value.ts';

/** Returns the evaluation error for a pattern that is not valid RE2. */
export function invalidPattern(pattern: string, reason: string): EvaluationError {
  return new EvaluationError(
    'regex/invalid-pattern',
    `the pattern \`${pattern}\` is not a valid RE2 pattern: ${reason}`,
  );
}
