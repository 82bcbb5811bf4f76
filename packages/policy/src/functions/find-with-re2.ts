import { EvaluationError } from '@tollgate/cel';
import { compileRe2 } from '@tollgate/cel/tooling';
import type { FindMatches, PatternMatch } from './replace-all.ts';

/** Returns a function that finds the matches of an RE2 pattern. Throws a `RangeError` if the pattern is invalid, which checking a policy rules out. */
export function findWithRe2(pattern: string): FindMatches {
  if (PLAIN.test(pattern)) return findPlain(pattern);
  const compiled = compileRe2(pattern);
  if (compiled instanceof EvaluationError) throw new RangeError(compiled.message);
  const { engine } = compiled;
  const names = engine.namedGroups();
  return function* find(text): Generator<PatternMatch> {
    const matcher = engine.matcher(text);
    while (matcher.find()) {
      yield {
        start: matcher.start(),
        end: matcher.end(),
        group: number => (number <= engine.groupCount() ? (matcher.group(number) ?? undefined) : undefined),
        named: name => (Object.hasOwn(names, name) ? (matcher.group(name) ?? undefined) : undefined),
      };
    }
  };
}

/** Patterns that match only themselves. Compiling one costs as much as a thousand searches. */
const PLAIN = /^[\w\-/:=&%@,;~"'<>!# ]+$/;

function findPlain(sought: string): FindMatches {
  return function* find(text): Generator<PatternMatch> {
    for (let start = text.indexOf(sought); start >= 0; start = text.indexOf(sought, start + sought.length)) {
      const group = (number: number) => (number === 0 ? sought : undefined);
      yield { start, end: start + sought.length, group, named: () => undefined };
    }
  };
}
