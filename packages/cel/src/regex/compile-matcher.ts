import { DEFAULT_LIMITS, type Limits } from '../limits.ts';
import { NO_PATTERN_ENGINE, PATTERN_TOO_LARGE } from '../values/errors.ts';
import type { EvaluationError } from '../values/value.ts';
import { invalidPattern } from './invalid-pattern.ts';
import { type LiteralPattern, literalPattern } from './literal-pattern.ts';
import { parsePattern } from './pattern/parse-pattern.ts';
import { isPatternTooLarge } from './pattern/pattern-size.ts';
import type { Re2Pattern } from './re2.ts';
import { isLinear } from './safety/backtracking-safety.ts';
import { toRegExp } from './to-regexp.ts';
import { trimEdges } from './trim-edges.ts';

/** An RE2 pattern in the fastest equivalent form, which generated code may use directly. */
export type CompiledPattern =
  | (LiteralPattern & Testable)
  /** Run by V8; proved to take linear time. */
  | ({ readonly kind: 'regexp'; readonly regexp: RegExp } & Testable)
  | Re2Pattern;

interface Testable {
  /** Returns true if part of the string matches. */
  readonly test: (text: string) => boolean;
}

/** Compiles any RE2 pattern to a matcher that runs in linear time. */
export type PatternEngine = (pattern: string) => Re2Pattern | EvaluationError;

/**
 * Compiles a pattern in RE2 syntax to a matcher that is linear in the length of the input. Returns `regex/invalid-pattern` or
 * `limit/pattern-size` for a bad pattern, and `eval/no-pattern-engine` if V8 cannot run it in linear time and no engine is given.
 */
export function compileMatcher(
  pattern: string,
  { maxPatternSize }: Pick<Limits, 'maxPatternSize'> = DEFAULT_LIMITS,
  engine?: PatternEngine,
): CompiledPattern | EvaluationError {
  if (isPatternTooLarge(pattern, maxPatternSize)) return PATTERN_TOO_LARGE;
  const parsed = parsePattern(pattern);
  if ('fault' in parsed) return invalidPattern(pattern, parsed.fault.message);
  const trimmed = trimEdges(parsed);
  const literal = literalPattern(trimmed);
  if (literal !== undefined) return { ...literal, test: literalTest(literal) };
  const regexp = isLinear(trimmed) ? toRegExp(trimmed) : undefined;
  if (regexp === undefined) return engine === undefined ? NO_PATTERN_ENGINE : engine(pattern);
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
