import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readIsoTime } from './iso-time.ts';

it('returns the same as the Date constructor for what it accepts', () => {
  const time = fc
    .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
    .map(date => date.toISOString());
  const written = fc.oneof(
    time,
    time.map(text => text.replace(/\.\d+/, '')),
  );
  const damaged = fc
    .tuple(written, fc.nat(23), fc.constantFrom('0', '9', '5', 'x', ':', '-', ' '))
    .map(([text, at, sign]) => text.slice(0, at) + sign + text.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(written, damaged), text => {
      const found = readIsoTime(text);
      if (found !== undefined) expect(found).toBe(Date.parse(text));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['2026-11-21T10:00:00Z', Date.UTC(2026, 10, 21, 10)],
  ['2026-02-28T23:59:59.999Z', Date.UTC(2026, 1, 28, 23, 59, 59, 999)],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-11-21T24:00:00Z', undefined],
  ['2026-11-21T10:00:00+00', undefined],
])('reads %j as %j', (text, time) => {
  expect(readIsoTime(text)).toBe(time);
});
