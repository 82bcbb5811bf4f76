import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseLogTime } from './log-time.ts';

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
