import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { absoluteUrl, hostOf, isAbsoluteUrl } from './url-walk.ts';

const BASE = 'https://app.example.com/shop/';

/** Uses `URL` for every string. */
function plainly(url: string) {
  const resolved = URL.parse(url, BASE)?.href;
  const isAbsolute = (one: string) =>
    /^https?:\/\/[\w.-]+(?:[/?]|$)/.test(one) && URL.canParse(one) && !/%(?![0-9a-fA-F]{2})|%[89a-fA-F]/.test(one);
  return {
    isAbsolute: isAbsolute(url),
    absolute: resolved !== undefined && isAbsolute(resolved) ? resolved : undefined,
  };
}

const PARTS = ['http://', 'https://', 'a', 'shop', '.', '..', '/', '//', ':', ':80', '@', '%41', '%ff', '?', '#', 'X'];
const MORE = ['é', 'xn--', '-', '_', '1', '0x1', ' ', '\\', '=', '&', ',', ';', '~', '!', '+', '\t', '$', "'", '|'];

it('agrees with `URL` for every string', () => {
  const texts = fc.array(fc.constantFrom(...PARTS, ...MORE), { maxLength: 8 }).map(parts => parts.join(''));
  const urls = fc.oneof(
    texts,
    texts.map(text => `https://a${text}`),
    texts.map(text => `http://a.example/${text}`),
  );
  fc.assert(
    fc.property(urls, url => {
      const found = { isAbsolute: isAbsoluteUrl(url), absolute: absoluteUrl(url, BASE) };
      expect(found).toEqual(plainly(url));
      if (found.isAbsolute) expect(hostOf(url)).toBe(new URL(url).host);
    }),
    { numRuns: inject('isDeep') ? 5_000 : 1000 },
  );
});
