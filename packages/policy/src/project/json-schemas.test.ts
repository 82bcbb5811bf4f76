import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { isCidr } from '../rules/check-string.ts';
import { CIDR_PATTERN } from './json-schemas.ts';

const pattern = new RegExp(CIDR_PATTERN, 'u');

it.each([
  ...[
    '10.0.0.0/8',
    '255.255.255.255',
    '::',
    '::/0',
    '::1',
    '1::',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8/128',
  ],
  ...['::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5::1.2.3.4', '2001:DB8::/32'],
])('accepts the range %s', text => {
  expect([pattern.test(text), isCidr(text)]).toEqual([true, true]);
});

it.each([
  ...[
    '',
    '10.0.0/8',
    '10.0.0.256',
    '10.0.0.0/33',
    '010.0.0.0',
    '::/129',
    '::/01',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
  ],
  ...['1::2::3', '1:2:3:4:5:6:7::8', '1.2.3.4::', '1:2:3:4:5:6::1.2.3.4', '12345::', 'g::'],
])('rejects `%s`', text => {
  expect([pattern.test(text), isCidr(text)]).toEqual([false, false]);
});

it('accepts what the configuration check accepts', () => {
  const parts = ['1', 'ab', 'ffff', '0', '255', '256', '1.2.3.4', ':', ':', ':', '::', '.', '/', '/8', '/32', '/128'];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 18 }).map(chosen => chosen.join(''));
  const groups = fc.array(fc.constantFrom('1', 'ab', '', '1.2.3.4'), { maxLength: 9 }).map(chosen => chosen.join(':'));
  fc.assert(
    fc.property(fc.oneof(texts, groups), text => pattern.test(text) === isCidr(text)),
    { numRuns: inject('isDeep') ? 5000 : 1000 },
  );
});
