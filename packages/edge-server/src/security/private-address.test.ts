import { describe, expect, it } from 'vitest';
import { isPrivateAddress, publicLookup } from './private-address.ts';

describe('private addresses', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::FFFF:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('include %s', address => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])(
    'do not include %s',
    address => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  it('are rejected when a host name is resolved', async () => {
    const error = await new Promise(resolve => publicLookup('localhost', {}, resolve));
    expect(String(error)).toMatch(
      /^PrivateAddressError: `localhost` resolves to the private address (127\.0\.0\.1|::1); use/,
    );
  });
});
