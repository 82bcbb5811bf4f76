import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlainUrl, parseLogTime, readIsoTime, timeIn } from './field-values.ts';

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

it.each([
  ['2026-02-30T10:00:00Z', undefined],
  ['2026-02-30 10:00:00', undefined],
  ['2026-04-31T10:00:00+02:00', undefined],
  ['2024-02-29T10:00:00Z', Date.UTC(2024, 1, 29, 10)],
  ['30/Feb/2026:10:00:00 +0000', undefined],
  ['29/Feb/2024:10:00:00 +0000', Date.UTC(2024, 1, 29, 10)],
  ['31/Dec/2026:24:00:00 +0000', undefined],
  ['2026-11-21 10:00:00,125', Date.UTC(2026, 10, 21, 10, 0, 0, 125)],
  ['2026-11-21T10:00:00,125+0100', Date.UTC(2026, 10, 21, 9, 0, 0, 125)],
  [1e300, undefined],
  [`1${'0'.repeat(30)}`, undefined],
  [1_772_446_530.25, 1_772_446_530_250],
  [1_772_446_530_250_000_000, 1_772_446_530_250],
])('reads %j as the time %j', (value, time) => {
  expect(timeIn(value)).toBe(time);
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

it('parses the times that servers write', () => {
  const zones = fc.constantFrom('+0000', '-0330', '+1245');
  const times = fc.date({
    min: new Date('1970-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, zones, (date, zone) => {
      const [, year, month, day, clock] = /^(\d{4})-(\d\d)-(\d\d)T(.{8})/.exec(date.toISOString())!;
      const text = `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock} ${zone}`;
      const expected = Date.parse(`${year}-${month}-${day}T${clock}${zone.slice(0, 3)}:${zone.slice(3)}`);
      expect(parseLogTime(text)).toBe(expected);
    }),
  );
});

it.each([
  '',
  '17/May/2015:10:05:03',
  '17/may/2015:10:05:03 +0000',
  '17/anF/2015:10:05:03 +0000',
  '1x/May/2015:10:05:03 +0000',
  '17-May/2015:10:05:03 +0000',
  '17/May-2015:10:05:03 +0000',
  '17/May/2015 10:05:03 +0000',
  '17/May/2015:10.05:03 +0000',
  '17/May/2015:10:05.03 +0000',
  '17/May/2015:10:05:03_+0000',
  '17/May/2015:10:05:03  0000',
  '17/May/2015:10:05:03 +000/',
  '17/May/2015:10:05:03 +00000',
])('rejects %j as a time', text => {
  expect(parseLogTime(text)).toBe(undefined);
});

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
