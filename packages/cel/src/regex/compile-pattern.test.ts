import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, inject, test } from 'vitest';
import { EvaluationError } from '../values/value.ts';
import { compilePattern } from './compile-pattern.ts';
import { validatePattern } from './parse-pattern.ts';

function form(pattern: string): string {
  const compiled = compilePattern(pattern);
  if (compiled instanceof EvaluationError) return compiled.message;
  switch (compiled.kind) {
    case 're2':
      return 're2';
    case 'regexp':
      return String(compiled.regexp);
    default:
      return `${compiled.kind} ${compiled.text}`;
  }
}

test.each([
  ['foo', 'literal foo'],
  ['^foo', 'prefix foo'],
  ['foo$', 'suffix foo'],
  ['\\Afoo\\z', 'equals foo'],
  ['', 'literal '],
  ['^$', 'equals '],
  ['.*foo.*', 'literal foo'],
  ['\\Qa.b\\E', 'literal a.b'],
  ['(a+)+$', 'suffix a'],
  ['(a*)*', 'literal '],
  ['[0-9]+x', '/[0-9]x/'],
  ['^/users/[0-9]+/orders$', '/^\\/users\\/[0-9]+\\/orders$/'],
  ['^/api/v[0-9]+/', '/^\\/api\\/v[0-9]+\\//'],
  ['\\.(php|aspx?|jsp|cgi)$', '/\\.(?:php|aspx?|jsp|cgi)$/'],
  ['(bot|crawler|spider)/[0-9.]+', '/(?:bot|crawler|spider)\\/[\\.0-9]/'],
  ['^[a-z0-9._]+@[a-z0-9.]+\\.[a-z]{2,6}$', '/^[\\.0-9_a-z]+@[\\.0-9a-z]+\\.[a-z]{2,6}$/'],
  ['(?i)^/Key', '/^\\/[Kk\\u212a][Ee][Yy]/'],
  ['^[^/]+/x', '/^[^\\/]+\\/x/u'],
  ['/[a-z]+/admin', '/\\/[a-z]+\\/admin/'],
  ['a.b', '/a[^\\u{a}]b/u'],
  ['(?s)a.b', '/a[^]b/u'],
  // V8 would spend quadratic or exponential time on these.
  ['Mozilla.*Chrome/[0-9]+.*Safari', 're2'],
  ['^(a+)+b', 're2'],
  ['^(a|a)*b', 're2'],
  ['^(a|ab)*c', 're2'],
  ['^a*a*b', 're2'],
  ['x[a-z]+y', 're2'],
  ['(a{0,30}){2}b', 'literal b'],
  ['x(a{0,30}){2}b', 're2'],
  // JavaScript gives these another meaning, or may.
  ['(?m)^foo$', 're2'],
  ['\\p{Greek}x', 're2'],
  ['x\\B', 're2'],
  ['(?i)é', 're2'],
])('compiles %j to %s', (pattern, expected) => {
  expect(form(pattern)).toBe(expected);
});

test.each([
  ['a(?=b)', 1, 'look-around is not in RE2'],
  ['(?<!a)b', 0, 'look-around is not in RE2'],
  ['(?>a)', 0, 'atomic groups are not in RE2'],
  ['(a)\\1', 3, 'back-references such as `\\1` are not in RE2'],
  ['a\\Z', 1, '`\\Z` is not in RE2; write `\\z` for the end of the string'],
  ['\\C', 0, 'invalid escape sequence `\\C`'],
  ['a\\', 1, 'trailing backslash'],
  ['a{1001}', 1, '`{1001}` repeats more than 1000 times'],
  ['(a{100}){11}', 8, 'nested repetitions repeat more than 1000 times'],
  ['a{3,2}', 1, 'the bounds of `{3,2}` are out of order'],
  ['a**', 1, 'a repetition cannot be repeated without parentheses'],
  ['|*', 1, 'nothing to repeat'],
  ['(a', 0, 'unclosed `(`'],
  ['a)b', 1, 'unmatched `)`'],
  ['x[a', 1, 'unclosed character class'],
  ['[z-a]', 1, 'the character range `z-a` is out of order'],
  ['[[:word]:]]', 1, 'unknown character class `[:word]:]`'],
  ['\\p{Grek}', 0, 'unknown Unicode class `Grek`'],
  ['\\x{110000}', 0, 'code point 110000 is out of range'],
  ['(?P<a>x)(?P<a>y)', 8, 'duplicate group name `a`'],
  ['(?P<a b>x)', 0, 'group names consist of letters, digits and `_`'],
  ['(?z)', 0, 'invalid or unsupported group'],
  ['('.repeat(5000), 1001, 'parentheses are nested more than 1000 deep'],
])('reports what is wrong with pattern %#', (pattern, offset, message) => {
  expect(validatePattern(pattern)).toEqual({ offset, message });
});

test('an invalid pattern is an evaluation error', () => {
  const result = compilePattern('(') as EvaluationError;
  expect([result.code, result.message]).toEqual([
    'regex/invalid-pattern',
    'the pattern `(` is not a valid RE2 pattern: unclosed `(`',
  ]);
});

const SYNTAX = [
  ...['a', 'b', 'ab', 'k', 'S', 'é', '😀', '.', '^', '$', '|', '-', ' ', '\n', ':', '>', '<', '=', '!'],
  ...['*', '+', '?', '{2}', '{2,}', '{1,3}', '{,2}', '{3,1}', '{0}', '{1000}', '{1001}', '{', '}'],
  ...['(', ')', '(', ')', '(?:', '(?i)', '(?i:', '(?m)', '(?-s:', '(?P<n>', '(?<m>', '(?=', '(?<=', '(?', '(?>'],
  ...['[', '[^', ']', '[ab]', '[^a]', '[^😀]', 'a-z', 'z-a', '[:alpha:]', '[:^alpha:]', '[[:upper:]]', '[:no:]'],
  ...['\\d', '\\D', '\\W', '\\w', '\\s', '\\p{L}', '\\pL', '\\p{No}', '\\p{No_such}', '\\p{^Lu}', '\\P', '\\b', '\\B'],
  ...['\\x41', '\\x{10FFFF}', '\\x{110000}', '\\x', '\\0', '\\12', '\\1', '\\8', '\\n', '\\u', '\\.', '\\_', '\\é'],
  ...['\\Q', '\\E', '\\A', '\\z', '\\Z', '\\C', '\\'],
];

/** Strings that are often valid patterns, and otherwise nearly. */
const patternString: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...SYNTAX), { minLength: 1, maxLength: 8 })
  .map(parts => parts.join(''));

const PIECES = ['a', 'b', 'c', 'k', 'K', '\u212a', 's', 'S', 'ſ', 'é', '😀', '\n', '1', ' ', '-', '\ud83d', '\ude00'];

/** Short strings of characters that occur in patterns. */
const subjectString: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 6 })
  .map(parts => parts.join(''));

test('accepts the patterns that the RE2 engine accepts, with the same matches', () => {
  fc.assert(
    fc.property(patternString, fc.array(subjectString, { minLength: 5, maxLength: 5 }), (pattern, subjects) => {
      const engine = re2(pattern);
      expect(validatePattern(pattern) === undefined).toBe(engine !== undefined);
      const compiled = compilePattern(pattern);
      if (engine === undefined || compiled instanceof EvaluationError) return;
      for (const subject of subjects) expect(compiled.test(subject)).toBe(engine.test(subject));
    }),
    { numRuns: inject('isDeep') ? 5000 : 500 },
  );
});

function re2(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
