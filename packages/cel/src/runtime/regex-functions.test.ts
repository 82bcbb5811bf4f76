import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { createRunContext } from './context.ts';
import { matchesPattern } from './regex-functions.ts';

const context = createRunContext(DEFAULT_LIMITS);

test.each([
  ['/users/42', '^/users/[0-9]+$', true],
  ['/users/a', '^/users/[0-9]+$', false],
  ['Straße', '\\pL{6}', true],
  [`${'a'.repeat(10_000)}!`, '(a+)+$', false],
])('%o matches %o: %o', (text, pattern, expected) => {
  expect(matchesPattern(context, text, pattern)).toBe(expected);
});

test('an invalid pattern is an error, the same one each time', () => {
  const error = matchesPattern(context, 'a', '(');
  expect(error).toMatchObject({ code: 'regex/invalid-pattern' });
  expect(matchesPattern(context, 'b', '(')).toBe(error);
});
