import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePunycode } from './punycode.ts';

describe('a label in Punycode', () => {
  it.each([
    ['bcher-kva', 'bücher'],
    ['mnchen-3ya', 'münchen'],
    ['fiq228c5hs', '中文网'],
    ['ls8h', '💩'],
  ])('decodes %s to %s', (text, expected) => {
    expect(decodePunycode(text)).toBe(expected);
  });

  it.each(['', 'abc-', '99999999999', 'a!b', 'zz-zz-99'])('rejects %j', text => {
    expect(decodePunycode(text)).toBeUndefined();
  });

  it('decodes what the URL parser encoded', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'ü', 'ß', 'ж', '中', '한', 'ō'), minLength: 1, maxLength: 12 }),
        text => {
          const label = domainToASCII(text);
          if (label.startsWith('xn--')) expect(decodePunycode(label.slice(4))).toBe(text.normalize('NFC'));
        },
      ),
    );
  });
});
