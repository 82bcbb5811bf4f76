import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlainUrl } from './plain-url.ts';

const PATTERN = /^https?:\/\/(?!(?:[^/?#]*\.)?xn--)(?:[a-z0-9-]+\.)*[a-z]+(?:[/?#]|$)/;

it('accepts only URLs that can be parsed, and exactly those that the pattern accepts', () => {
  const label = fc.oneof(
    fc.constantFrom('a', 'example', 'xn--a', 'a-1', '1', '', 'xn-', 'A', 'é', '[::1]', 'a:80', 'a@b'),
    fc.string({ unit: fc.constantFrom('a', 'x', 'n', '-', '1'), maxLength: 5 }),
  );
  const text = fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'ftp://', '', 'https:/'),
      fc.array(label, { maxLength: 4 }),
      fc.constantFrom('', '/', '/a?b#c', '?a', '#', '/%zz', '\\'),
    )
    .map(([start, labels, end]) => start + labels.join('.') + end);
  fc.assert(
    fc.property(text, url => {
      expect(isPlainUrl(url)).toBe(PATTERN.test(url));
      if (isPlainUrl(url)) expect(URL.canParse(url)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
