import { compileRe2, EvaluationError } from '@tollgate/cel';
import type { FindMatches, PatternMatch } from './replace-all.ts';

/** Gives the matches of a pattern of RE2. Throws a `RangeError` when it is none, which checking a policy rules out. */
export function findWithRe2(pattern: string): FindMatches {
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
