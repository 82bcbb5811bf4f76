import { Duration, Timestamp } from '@tollgate/cel';
import { expect, it } from 'vitest';
import { requestCookiesByName, responseCookiesByName } from './cookies-by-name.ts';

it('lists the cookies of a request by name, in the order of the header', () => {
  expect(requestCookiesByName(['a=1; b=2', 'a=3; __proto__=4'])).toEqual(
    Object.fromEntries([
      [
        'a',
        [
          { name: 'a', value: '1', secure: false },
          { name: 'a', value: '3', secure: false },
        ],
      ],
      ['b', [{ name: 'b', value: '2', secure: false }]],
      ['__proto__', [{ name: '__proto__', value: '4', secure: false }]],
    ]),
  );
});

it('returns the attributes of cookies that a response sets, the longest path first', () => {
  const [long, short] = responseCookiesByName([
    'a=1; Path=/; Max-Age=0; HttpOnly',
    'a=2; Path=/long; Max-Age=60; Secure; SameSite=Strict; Domain=e.co; Priority=High; Partitioned; Expires=Thu, 01 Jan 2026 00:00:00 GMT',
  ]).a!;
  expect(long).toEqual({
    ...{ name: 'a', value: '2', path: '/long', domain: 'e.co', same_site: 'Strict', secure: true, http_only: false },
    ...{ expires: new Timestamp(1_767_225_600, 0), max_age: new Duration(60, 0) },
    unparsed_attributes: { Priority: 'High', Partitioned: '' },
  });
  expect(short).toMatchObject({ path: '/', max_age: new Duration(0, 0), http_only: true, expires: undefined });
});
