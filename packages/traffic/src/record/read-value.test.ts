import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressIn } from './read-value.ts';

it('takes for addresses what they are to the platform', () => {
  const number = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '01', '1e1', ' 1', '-1', 'a', '256', '0'));
  const numbers = fc.array(number, { minLength: 3, maxLength: 5 }).map(parts => parts.join('.'));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), numbers), text => {
      expect(addressIn(text)).toBe(isIP(text) === 0 ? undefined : text);
    }),
    { numRuns: 2000 },
  );
});
