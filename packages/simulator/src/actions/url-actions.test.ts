import { findPattern, replaceAll } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandVariables } from '../exchange-state/url.ts';

function rewrite(url: string, from: string, to: string): string {
  return replaceAll(url, findPattern(from), expandVariables(to, url));
}

const LONG_PREFIX = String.raw`^https?://[^/:]+(:[0-9]*)?(/foo)([^\?]*)(\?.*)?$`;
const USER = 'v0/user/([0-9]+).*';

describe('rewriting a URL', () => {
  it.each([
    [
      'fills in a group and the query',
      'https://e.co/v0/user/12?a=b',
      USER,
      'v1/user?id=$1&$args',
      'https://e.co/v1/user?id=12&a=b',
    ],
    [
      'keeps what surrounds an empty query',
      'https://e.co/v0/user/12',
      USER,
      'v1/user?id=$1&$args',
      'https://e.co/v1/user?id=12&',
    ],
    [
      'puts in just what is written',
      'https://e.co/v0/admin?x=1',
      'v0/admin.*',
      'v1/admin?$is_args$args',
      'https://e.co/v1/admin??x=1',
    ],
    [
      'rewrites a prefix',
      'https://e.co:8443/foo/bar?q=1',
      LONG_PREFIX,
      '$scheme://$authority/new$3$is_args$args',
      'https://e.co:8443/new/bar?q=1',
    ],
    ['replaces the whole once', 'https://e.co/x', '.*', '$scheme://$authority/full$is_args$args', 'https://e.co/full'],
    ['replaces every match', 'https://e.co/aXbX', 'X', '-', 'https://e.co/a-b-'],
    ['replaces empty matches between characters', 'ab', 'x*', '-', '-a-b-'],
    ['takes the longest run of word characters for a name', 'ab', '(a)(b)', '$1x$2', 'b'],
    ['knows no group beyond the last', 'ab', '(a)(b)', '$10|${1}0', '|a0'],
    ['knows groups by name', 'ab', '(?P<first>a)(?<second>b)', '$second${first}', 'ba'],
    ['leaves a group empty that took no part', 'b', '(a)?b', '[$1]', '[]'],
    ['writes a dollar sign for two', 'a', 'a', '$$1$', '$1$'],
    ['has no other special sequences', 'xay', 'a', "$&$`$'$<1>", "x$&$`$'$<1>y"],
    [
      'tells `$args`, `$arg_s` and `$arg_args` apart',
      'http://e.co/?s=1&args=2',
      '.*',
      '$args|$arg_s|$arg_args|$arg_none',
      's=1&args=2|1|2|',
    ],
    [
      'knows every variable',
      'https://u:p@e.co:1/a?b',
      '.*',
      '$uri,$host,$port,$user$is_user,$query_string,$is_args',
      '/a?b,e.co,1,u:p@,b,?',
    ],
    ['knows a variable by its whole name only', 'http://e.co/', '.*', '$argsx$schemes-$host', '-e.co'],
    ['does not resolve what is put in', 'https://e.co/a', '/a', 'https://e.co/b', 'https://e.cohttps://e.co/b'],
    ['matches without regard to case when told', 'https://e.co/ABC', '(?i)abc', 'x', 'https://e.co/x'],
    ['counts characters beyond the first plane as one', 'http://e.co/😀a', '(.)a', '<$1>', 'http://e.co/<😀>'],
  ])('%s', (_, url, from, to, result) => {
    expect(rewrite(url, from, to)).toBe(result);
  });

  it('expands nothing in what a client sends', () => {
    expect(rewrite('https://e.co/a?b=$1', '(/a).*', '/x?$args')).toBe('https://e.co/x?b=$1');
  });

  it('leaves a string without a match unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(rewrite(text, `${'[^a]'.repeat(30)}!!`, '-')).toBe(text);
      }),
    );
  });

  it('replaces as JavaScript does where both define the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 });
    const pattern = fc.constantFrom('a', 'a+b?', '[ab]', '/', '(a)(b)', 'a|b');
    fc.assert(
      fc.property(text, pattern, (subject, from) => {
        expect(rewrite(subject, from, '<-$$>')).toBe(subject.replace(new RegExp(from, 'gu'), '<-$$>'));
      }),
    );
  });

  it('rejects a pattern that is not RE2', () => {
    expect(() => findPattern('(?=a)')).toThrow(RangeError);
  });
});
