import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { type FindMatches, findPattern, findWithRe2, findWithRegExp, replaceAll, searchPlan } from './functions.ts';

describe('the matches of a pattern', () => {
  it.each([
    ['http://a', 'http://ahttp://a/b'],
    ['aa', 'aaaaa'],
    ['/x y/', 'é/x y/😀/x y/'],
    ['a', ''],
    ['~', 'nothing of that'],
  ])('without operators, %s, are those that the engine finds in %s', (pattern, text) => {
    expect(replaceAll(text, findPattern(pattern), '[$0]')).toBe(
      replaceAll(text, findWithRe2(`(?:${pattern})`), '[$0]'),
    );
  });

  it('have no groups but the whole match if there are no operators', () => {
    expect(replaceAll('ab', findPattern('a'), '<$0${1}$name>')).toBe('<a>b');
  });

  it('are those of the engine where a `RegExp` finds them', () => {
    let used = 0;
    fc.assert(
      fc.property(PATTERN, fc.array(TEXT, { minLength: 6, maxLength: 10 }), (pattern, texts) => {
        const plan = searchPlan(pattern);
        if (plan.kind !== 'regexp') return;
        used++;
        const [own, engine] = [findWithRegExp(plan.regexp), findWithRe2(pattern)];
        for (const text of texts)
          expect([pattern, text, matchesOf(own, text)]).toEqual([pattern, text, matchesOf(engine, text)]);
      }),
      { numRuns: inject('isDeep') ? 50_000 : 2000 },
    );
    expect(used).toBeGreaterThan(100);
  });

  it.each([
    ['/legacy/(.*)', 'regexp'],
    ['^https?://([^/]+)/old/(?P<rest>.*)$', 'regexp'],
    ['/v0/user/([0-9]+)', 'regexp'],
    ['/v0/user/([0-9]+)(.*)', 'regexp'],
    ['/a/([0-9]+)/(.*)', 're2'],
    ['/plain', 'plain'],
    // What differs between the languages, or may take quadratic time.
    ...['(a)*', '(?:a*)+', '(?i)a', 'a*', '\\b', '(a.*)b', '[[:alpha:]]', 'a**', '\\pL', '(?s).'].map(one => [
      one,
      're2',
    ]),
  ])('of %s are found by %s', (pattern, kind) => {
    expect(searchPlan(pattern!).kind).toBe(kind);
  });
});

const ATOM = fc.constantFrom(
  ...[
    'a',
    'b',
    '/',
    '.',
    '\\.',
    '\\d',
    '\\w',
    '\\s',
    '\\S',
    '[ab]',
    '[^a]',
    '[^/?]',
    '[a-c.]',
    '[\\d-]',
    '[a\\-z]',
    '😀',
    'é',
  ],
  ...['^', '$', '\\/', '-', ' ', '\\W', '[^\\d]', '[😀a]', '&', '#', '~', '[&&a]'],
);
const QUANTIFIER = fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{2,}', '{1,2}?');
const PATTERN = fc.letrec<{ whole: string; term: string; group: string }>(tie => ({
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?P<n>', '(?<m>'), tie('whole'))
    .map(([opening, inner]) => `${opening}${inner})`),
  term: fc
    .tuple(fc.oneof({ weight: 4, arbitrary: ATOM }, tie('group')), QUANTIFIER)
    .map(([atom, quantifier]) => atom + quantifier),
  whole: fc.oneof(
    { weight: 4, arbitrary: fc.array(tie('term'), { maxLength: 4 }).map(terms => terms.join('')) },
    fc.tuple(tie('whole'), tie('whole')).map(([a, b]) => `${a}|${b}`),
  ),
})).whole;
const TEXT = fc
  .array(fc.constantFrom('a', 'b', 'c', '/', '.', '1', '\n', ' ', '😀', 'é', '-', '?', '\ud83d', '~'), {
    maxLength: 10,
  })
  .map(parts => parts.join(''));

function matchesOf(find: FindMatches, text: string): readonly unknown[] {
  // The engine says the groups of the current match only.
  return Array.from(find(text), ({ start, end, group, named }) => [
    ...[start, end, group(0), group(1), group(2), group(3)],
    ...[named('n'), named('m')],
  ]);
}
