import { RE2JS } from 're2js';
import type { EvaluationError } from '../values/value.ts';
import { invalidPattern } from './parse-pattern.ts';

/** A pattern run by the RE2 engine. */
export interface Re2Pattern {
  readonly kind: 're2';
  readonly test: (text: string) => boolean;
  /** For positions and groups of matches. */
  readonly engine: RE2JS;
}

/** Compiles an RE2 pattern; an invalid one is `regex/invalid-pattern`. */
export function compileRe2(pattern: string): Re2Pattern | EvaluationError {
  try {
    const engine = RE2JS.compile(pattern);
    return { kind: 're2', test: text => engine.test(text), engine };
  } catch (error) {
    return invalidPattern(pattern, error instanceof Error ? error.message : String(error));
  }
}
