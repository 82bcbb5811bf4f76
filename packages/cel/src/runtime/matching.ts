import { RE2JS } from 're2js';
import type { RunContext, TextPattern } from './implementation.ts';
import { EvaluationError } from './value.ts';

/** `matches` with a pattern that is not a constant of the program. */
export function matchesText(context: RunContext, text: string, pattern: string): boolean | EvaluationError {
  const compiled = context.patterns.get(pattern, compilePattern);
  return compiled instanceof EvaluationError ? compiled : compiled.test(text);
}

function compilePattern(pattern: string): TextPattern | EvaluationError {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: text => compiled.test(text) };
  } catch (error) {
    return new EvaluationError('regex/invalid-pattern', `invalid regular expression: ${(error as Error).message}`);
  }
}
