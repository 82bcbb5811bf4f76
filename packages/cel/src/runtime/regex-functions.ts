// The functions of the regex library, and `matches` with patterns that RE2 runs.

import type { Integer } from '../ast/ast.ts';
import { compileRe2, type Re2Pattern } from '../regex/re2.ts';
import { COLLECTION_TOO_LARGE, STRING_TOO_LONG, TOO_MANY_GROUPS } from '../values/errors.ts';
import { EvaluationError, Optional, type Value } from '../values/value.ts';
import type { RunContext } from './context.ts';
import { chargePattern } from './matches-regexp.ts';

type Extraction = { readonly matches: Iterable<Match>; readonly group: number };

export function extractMatch(context: RunContext, text: string, pattern: string): Optional | EvaluationError {
  const extraction = startExtraction(context, text, pattern);
  if (extraction instanceof EvaluationError) return extraction;
  for (const match of extraction.matches) return new Optional(match.group(extraction.group) || emptyWhole(extraction));
  return new Optional(undefined);
}

/** An empty group counts as none; an empty match does not. */
function emptyWhole({ group }: Extraction): string | undefined {
  return group === 0 ? '' : undefined;
}

export function extractMatches(context: RunContext, text: string, pattern: string): readonly Value[] | EvaluationError {
  const extraction = startExtraction(context, text, pattern);
  if (extraction instanceof EvaluationError) return extraction;
  const found: string[] = [];
  for (const match of extraction.matches) {
    const part = match.group(extraction.group) || emptyWhole(extraction);
    if (part !== undefined && found.push(part) > context.limits.maxCollectionSize) return COLLECTION_TOO_LARGE;
  }
  return found;
}

function startExtraction(context: RunContext, text: string, pattern: string): Extraction | EvaluationError {
  const compiled = runtimePattern(context, pattern, text);
  if (compiled instanceof EvaluationError) return compiled;
  const group = compiled.engine.groupCount();
  return group > 1 ? TOO_MANY_GROUPS : { matches: matchesIn(compiled.engine.matcher(text), context), group };
}

type Matcher = ReturnType<Re2Pattern['engine']['matcher']>;

/** Each match takes as long as reading this many characters of a string. */
const STEPS_PER_MATCH = 4;

/** An empty match directly after another match does not count. */
function* matchesIn(matcher: Matcher, context: RunContext): Iterable<Match> {
  const group = (index: number): string | undefined =>
    matcher.start(index) < 0 ? undefined : (matcher.group(index) ?? '');
  let last = -1;
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end && start === last) continue;
    last = end;
    context.left -= STEPS_PER_MATCH;
    yield { start, end, group };
  }
}

export function replaceMatches(
  context: RunContext,
  text: string,
  pattern: string,
  by: string,
): string | EvaluationError {
  return replaceMatchesUpTo(context, text, pattern, by, -1);
}

/** Replaces at most `limit` matches; all if it is negative. The replacement is parsed only if there is a match. */
export function replaceMatchesUpTo(
  context: RunContext,
  ...[text, pattern, by, limit]: readonly [text: string, pattern: string, by: string, limit: Integer]
): string | EvaluationError {
  if (limit === 0) return text;
  const compiled = runtimePattern(context, pattern, text);
  if (compiled instanceof EvaluationError) return compiled;
  const { engine } = compiled;
  if (!engine.matcher(text).find()) return text;
  const replacement = replacementOf(by, engine.groupCount());
  if (replacement instanceof EvaluationError) return replacement;
  const times = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  return replaceIn(text, matchesIn(engine.matcher(text), context), { times, replacement, context });
}

interface ReplaceContext {
  readonly times: number;
  readonly replacement: (match: Match) => string;
  readonly context: RunContext;
}

function replaceIn(text: string, matches: Iterable<Match>, { times, replacement, context }: ReplaceContext) {
  const { maxTextLength } = context.limits;
  let result = '';
  let end = 0;
  let count = 0;
  for (const match of matches) {
    result += text.slice(end, match.start) + replacement(match);
    end = match.end;
    if (result.length > maxTextLength) return STRING_TOO_LONG;
    if (++count >= times) break;
  }
  result += text.slice(end);
  return result.length > maxTextLength ? STRING_TOO_LONG : result;
}

/**
 * `matches` with a pattern that is not a constant of the program. Straight to the RE2 engine: what finds a quicker one for
 * constants would be 6.7 kB of the 15 that the whole runtime takes compressed, for patterns that are rare.
 */
export function matchesPattern(context: RunContext, text: string, pattern: string): boolean | EvaluationError {
  const compiled = runtimePattern(context, pattern, text);
  return compiled instanceof EvaluationError ? compiled : compiled.test(text);
}

/** A match of a pattern, with UTF-16 offsets. */
interface Match {
  readonly start: number;
  readonly end: number;
  /** Returns the string that a capture group matched; 0 is the whole match. Undefined for a group that did not participate. */
  readonly group: (index: number) => string | undefined;
}

/** `\0` to `\9`, `\\`, and other backslashes. A dollar sign is literal. */
const ESCAPE = /\\(?:([0-9])|(\\)|())/g;

/**
 * Returns a function that expands the replacement for a match, with the syntax of the reference implementation: a backslash and a digit
 * refer to a group, and two backslashes are one. Any other backslash, or a group that the pattern does not have, is an error.
 *
 * @param groupCount of the pattern
 */
function replacementOf(template: string, groupCount: number): ((match: Match) => string) | EvaluationError {
  const pieces: (string | number)[] = [];
  let end = 0;
  for (const match of template.matchAll(ESCAPE)) {
    const [reference, digit, backslash] = match;
    if (digit === undefined && backslash === undefined) return INVALID_ESCAPE;
    if (digit !== undefined && Number(digit) > groupCount) return unknownGroup(reference);
    pieces.push(template.slice(end, match.index), backslash ?? Number(digit));
    end = match.index + reference.length;
  }
  pieces.push(template.slice(end));
  return match => pieces.map(piece => (typeof piece === 'string' ? piece : (match.group(piece) ?? ''))).join('');
}

const INVALID_ESCAPE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'regex/invalid-replacement',
  'a backslash in the replacement must be followed by a digit or another backslash',
);

function unknownGroup(reference: string): EvaluationError {
  return new EvaluationError('regex/unknown-group', `the pattern has no group for \`${reference}\` in the replacement`);
}

/** Compiles a pattern that is known only at run time, to be matched against a string, or returns the cached one. */
function runtimePattern(context: RunContext, pattern: string, text: string): Re2Pattern | EvaluationError {
  return chargePattern(context, pattern, text) ?? context.patterns.get(pattern, compileRe2);
}
