import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObviouslyValid, parsePattern } from './parse-pattern.ts';

const PIECES = fc.constantFrom(
  ...'abz09_ -^$|.*+?()[]{}\\/:,;"\'#<>!=&%@~`'.split(''),
  ...[
    '(?i)',
    '(?:',
    '(?U',
    '(?',
    '(?P<a>',
    'a-z',
    'z-a',
    '[^',
    '[a',
    '\\d',
    '\\w',
    '\\.',
    '\\]',
    '\\-',
    '\\Q',
    '\\E',
    '\\1',
  ],
  ...[
    '\\x41',
    '\\p{L}',
    '\\Z',
    '\\z',
    '\\b',
    '[[:alpha:]]',
    '{2}',
    '{2,1}',
    '{,3}',
    '.*',
    '(.*)',
    '[^/]+',
    '[-',
    '-]',
    '+?',
    'é',
  ],
);

describe('an obviously valid pattern', () => {
  it.each([
    ...[
      '',
      '^(.*)/a/(.*)$',
      '(?i)(bot|spider)',
      '^/[a-z0-9-]+/?$',
      'x\\.php$',
      '((a|b)c)*',
      '[^/]+?',
      '\\d+(?:\\.\\d+)?',
    ],
    ...['^https?://[^/]*', '[\\w.%+-]+@', '(?i)^GET|HEAD$', '^\\s*$', 'a b'],
  ])('is recognized: %s', pattern => {
    expect(isObviouslyValid(pattern)).toBe(true);
  });

  it.each(['(', ')', 'a**', '[z-a]', '*', '(?=a)', '\\1', 'a{2,1}', '(?P<a', '[', '\\', 'a|*', '(*)', '[]', '[^]'])(
    'is never an invalid one: %s',
    pattern => {
      expect(isObviouslyValid(pattern)).toBe(false);
    },
  );

  it('parses without a fault', () => {
    let sure = 0;
    fc.assert(
      fc.property(fc.array(PIECES, { maxLength: 8 }), pieces => {
        const pattern = pieces.join('');
        if (!isObviouslyValid(pattern)) return;
        sure += 1;
        expect({ pattern, read: parsePattern(pattern) }).not.toMatchObject({ read: { fault: expect.anything() } });
      }),
      { numRuns: 20_000 },
    );
    expect(sure).toBeGreaterThan(1000);
  });

  it.each(['(a', '((', 'a+', '[a', '(a)', '((a)', 'a-z['])(
    'is recognized in linear time, even for many of %s',
    part => {
      expect(typeof isObviouslyValid(part.repeat(500).slice(0, 1000))).toBe('boolean');
    },
  );
});
