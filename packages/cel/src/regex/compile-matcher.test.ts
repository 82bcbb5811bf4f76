import { expect, it } from 'vitest';
import { requiredText } from './compile-matcher.ts';

it.each([
  ['^/(?:a|b)-12/[0-9]+$', '-12/'],
  ['^/admin/.*[.]php$', '/admin/'],
  ['\\bxmlrpc\\b', 'xmlrpc'],
  ['(/api)/v1', '/api/v1'],
  ['ab?cd', 'cd'],
  ['a{3}', undefined],
  ['(?i)scanner', undefined],
  ['one|two', undefined],
  ['é/', undefined],
  ['/', undefined],
  ['(', undefined],
  ['x'.repeat(40), 'x'.repeat(16)],
])('every match of %s contains %s', (pattern, text) => {
  expect(requiredText(pattern)).toBe(text);
});
