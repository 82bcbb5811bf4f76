import { describe, expect, it } from 'vitest';
import { findWithRe2, replaceAll } from './functions.ts';

describe('the matches of a pattern', () => {
  it.each([
    ['http://a', 'http://ahttp://a/b'],
    ['aa', 'aaaaa'],
    ['/x y/', 'é/x y/😀/x y/'],
    ['a', ''],
    ['~', 'nothing of that'],
  ])('without operators, %s, are those that the engine finds in %s', (pattern, text) => {
    expect(replaceAll(text, findWithRe2(pattern), '[$0]')).toBe(
      replaceAll(text, findWithRe2(`(?:${pattern})`), '[$0]'),
    );
  });

  it('have no groups but the whole match if there are no operators', () => {
    expect(replaceAll('ab', findWithRe2('a'), '<$0${1}$name>')).toBe('<a>b');
  });
});
