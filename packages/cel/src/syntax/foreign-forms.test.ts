import { expect, it } from 'vitest';
import { createEnvironment } from '../checker/environment.ts';
import { parse } from './parse.ts';

const ENV = createEnvironment({ libraries: [] });

it.each([
  ['/^admin/.test(a.b)', "regular expressions are strings; write `a.b.matches('^admin')`", "a.b.matches('^admin')"],
  [
    '!/^\\/v\\d+/i.test(a.b)',
    "regular expressions are strings; write `a.b.matches(r'(?i)^/v\\d+')`",
    "!a.b.matches(r'(?i)^/v\\d+')",
  ],
  [
    "a.b.match(/^.x/) && c == 'd'",
    "regular expressions are strings; write `a.b.matches('^.x')`",
    "a.b.matches('^.x') && c == 'd'",
  ],
  ["new RegExp('^/a').test(a.b)", "regular expressions are strings; write `a.b.matches('^/a')`", "a.b.matches('^/a')"],
  ["'a' if b == 'c' else 'd'", "a condition comes first; write `b == 'c' ? 'a' : 'd'`", "b == 'c' ? 'a' : 'd'"],
  [
    'a.b == ${c.d}',
    '`${…}` is for strings of a configuration, and this is an expression already; write `c.d`',
    'a.b == c.d',
  ],
  [
    "a.get('b') != '${c.d('e', 'f-g')}'",
    "`${…}` is for strings of a configuration, and this is an expression already; write `c.d('e', 'f-g')`",
    "a.get('b') != c.d('e', 'f-g')",
  ],
  ["a.b[0:3] == '/ab'", 'slices are a method; write `a.b.substring(0, 3)`', "a.b.substring(0, 3) == '/ab'"],
  [
    "['a'].some(x => b.contains(x)) && c",
    'a loop names its variable first; write `.exists(x, b.contains(x))`',
    "['a'].exists(x, b.contains(x)) && c",
  ],
  ['a.b ?? c == d', 'CEL has no `??`; write `(has(a.b) ? a.b : c)`', '(has(a.b) ? a.b : c) == d'],
  [
    'a.replace(/^x/i, "$1") == b',
    "regular expressions are strings; write `regex.replace(a, '(?i)^x', r'\\1', 1)`",
    "regex.replace(a, '(?i)^x', r'\\1', 1) == b",
  ],
  ["a !~* 'b.c'", "`matches` is a method; write `!a.matches('(?i)b.c')`", "!a.matches('(?i)b.c')"],
  ['const a = b || c; a && d', 'an expression has no variables; write `(b || c) && d`', '(b || c) && d'],
  ['if (a.b(c)) return false;', 'an expression has no `if`; write `!(a.b(c))`', '!(a.b(c))'],
  [
    "any(x in b.c for x in ['a', 'b'])",
    "a loop is a method of its list; write `['a', 'b'].exists(x, x in b.c)`",
    "['a', 'b'].exists(x, x in b.c)",
  ],
  ["f'{a}/b' == c", "strings are joined with `+`; write `'…' + a`", undefined],
  [
    "a?.b == a['c']?.[0]",
    "CEL has no `?.`: reading an absent value is an error, and the condition does not hold; write `a.b == a['c'][0]`",
    "a.b == a['c'][0]",
  ],
  [
    "re.match('/a', b.c) is None && d",
    "`matches` is a method; write `!b.c.matches('^(?:/a)')`",
    "!b.c.matches('^(?:/a)') && d",
  ],
  [
    "re.search(r'x$', b['c'][0]) is not None && d",
    "`matches` is a method; write `b['c'][0].matches(r'x$')`",
    "b['c'][0].matches(r'x$') && d",
  ],
  ["typeof a.b == 'string'", 'types are not strings; write `type(a.b) == string`', 'type(a.b) == string'],
  ["typeof a.b['c'] !== 'undefined' && d", "types are not strings; write `'c' in a.b`", "'c' in a.b && d"],
  ["typeof a.b === 'undefined'", 'types are not strings; write `!has(a.b)`', '!has(a.b)'],
  ["a.b in ('c', 'd') && e", "a list is written in brackets; write `in ['c', 'd']`", "a.b in ['c', 'd'] && e"],
  ["a.b IN ('c','d')", "a list is written in brackets; write `in ['c','d']`", "a.b in ['c','d']"],
  ["`${a.b}` == 'c'", 'an expression needs no quotes; write `a.b`', "a.b == 'c'"],
])('reports one error with the form in CEL: %s', (source, message, fixed) => {
  const { diagnostics } = parse(source, ENV);
  expect(diagnostics.map(one => one.message)).toEqual([message]);
  const edits = diagnostics[0]!.fixes?.[0]?.edits;
  const text = edits?.reduceRight(
    (before, { range, newText }) => before.slice(0, range.start) + newText + before.slice(range.end),
    source,
  );
  expect(text).toBe(fixed);
  if (text !== undefined) expect(parse(text, ENV).diagnostics).toEqual([]);
});

it.each([
  "a.b.matches('/x/.test(y)')",
  'a / b / c.test(d)',
  'a[b ? 0 : 3]',
  "'${a}' == b",
  "typeof == f && 'a if b else c' != ''",
])('accepts what only looks like it: %s', source => {
  expect(parse(source, ENV).diagnostics).toEqual([]);
});

it('reports other errors as before', () => {
  expect(parse("a == 'if b else c' &&", ENV).diagnostics.map(({ code }) => code)).toEqual(['syntax/unexpected-token']);
});
