import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LINE_NUMBERS, QuoteFinder } from './quote-finder.ts';

const finder = new QuoteFinder(1000);

/** What the finder is to find, the plain way. */
function expected(bytes: Uint8Array) {
  const quotes: number[] = [];
  const lines: number[] = [];
  let odd = 0;
  bytes.forEach((byte, at) => {
    if (byte === 0x22) quotes.push(at);
    else if (byte === 0x0a) {
      lines.push(at, quotes.length * 4, odd);
      odd = 0;
    } else if (byte < 0x20 || byte >= 0x80 || byte === 0x5c) odd = 1;
  });
  return { quotes, lines };
}

it('finds quotes, line ends, and lines with bytes that are not plain', () => {
  const byte = fc.oneof(
    fc.constantFrom(0x22, 0x0a, 0x5c, 0x0d, 0x80, 0xff, 0x1f, 0x20, 0x7f),
    fc.integer({ max: 255, min: 0 }),
  );
  const text = fc.oneof({ weight: 4, arbitrary: fc.constant(0x61) }, byte);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 120 }), numbers => {
      const bytes = Uint8Array.from(numbers);
      finder.bytes.set(bytes);
      const count = finder.find(bytes.length);
      const { quotes, lines } = expected(bytes);
      expect([...finder.lines.subarray(0, count * LINE_NUMBERS)]).toEqual(lines);
      expect([...finder.quotes.subarray(0, quotes.length)]).toEqual(quotes);
    }),
    { numRuns: 500 },
  );
});
