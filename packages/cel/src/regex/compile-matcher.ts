import { DEFAULT_LIMITS, type Limits } from '../limits.ts';
import { PATTERN_TOO_LARGE } from '../values/errors.ts';
import type { EvaluationError } from '../values/value.ts';
import { type LiteralPattern, literalPattern } from './literal-pattern.ts';
import { parsePattern } from './pattern/parse-pattern.ts';
import { isPatternTooLarge } from './pattern/pattern-size.ts';
import { compileRe2, invalidPattern, type Re2Pattern } from './re2.ts';
import { isLinear } from './safety/backtracking-safety.ts';
import { toRegExp } from './to-regexp.ts';
import { trimEdges } from './trim-edges.ts';

/** A regular expression of RE2 in the quickest form that means the same; generated code may put that in its place. */
export type CompiledPattern =
  | (LiteralPattern & Testable)
  /** Run by the JavaScript engine: proved linear. */
  | ({ readonly kind: 'regexp'; readonly regexp: RegExp } & Testable)
  | Re2Pattern;

interface Testable {
  /** Whether a part of the text matches. */
  readonly test: (text: string) => boolean;
}

/**
 * Compiles a pattern in the syntax of RE2; `regex/invalid-pattern` when it is none, `limit/pattern-size` when it is too large. Testing is
 * linear in the text, always.
 */
export function compilePattern(
  pattern: string,
  { maxPatternSize }: Pick<Limits, 'maxPatternSize'> = DEFAULT_LIMITS,
): CompiledPattern | EvaluationError {
  if (isPatternTooLarge(pattern, maxPatternSize)) return PATTERN_TOO_LARGE;
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return invalidPattern(pattern, parsed.fault.message);
  const trimmed = trimEdges(parsed);
  const literal = literalPattern(trimmed);
  if (literal !== undefined) return { ...literal, test: literalTest(literal) };
  const regexp = isLinear(trimmed) ? toRegExp(trimmed) : undefined;
  if (regexp === undefined) return compileRe2(pattern);
  return { kind: 'regexp', regexp, test: text => regexp.test(text) };
}

function literalTest({ kind, text }: LiteralPattern): (text: string) => boolean {
  switch (kind) {
    case 'literal':
      return subject => subject.includes(text);
    case 'prefix':
      return subject => subject.startsWith(text);
    case 'suffix':
      return subject => subject.endsWith(text);
    case 'equals':
      return subject => subject === text;
  }
}
