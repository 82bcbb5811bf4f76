import { Duration, Timestamp } from '@tollgate/cel';
import { describe, expect, it } from 'vitest';
import { requestCookies, requestCookiesByName, responseCookies, responseCookiesByName } from './cookies.ts';

describe('cookies', () => {
  it.each([
    [
      ['a=1; b=2', 'c=3'],
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    ],
    [
      ['a="1 2"; b; c=x=y;; =z; d=ä'],
      [
        ['a', '1 2'],
        ['b', ''],
        ['c', 'x=y'],
      ],
    ],
    [[], []],
  ])('of a request are parsed: %j', (headers, pairs) => {
    expect(requestCookies(headers).map(cookie => [cookie.Name, cookie.Value])).toEqual(pairs);
  });

  it('of a response carry their attributes', () => {
    const header =
      'id=a3; Path=/x; Domain=e.co; Expires=Wed, 21-Oct-2026 07:28:00 GMT; Max-Age=60; Secure; HttpOnly; SameSite=Lax; Odd=1';
    expect(responseCookies([header, 'nothing', 'b=2; max-age=0; samesite; max-age=x'])).toEqual([
      {
        Name: 'id',
        Value: 'a3',
        Path: '/x',
        Domain: 'e.co',
        Expires: new Timestamp(Date.UTC(2026, 9, 21, 7, 28) / 1000, 0),
        RawExpires: 'Wed, 21-Oct-2026 07:28:00 GMT',
        MaxAge: 60,
        Secure: true,
        HttpOnly: true,
        SameSite: 2,
        Raw: header,
        Unparsed: ['Odd=1'],
      },
      expect.objectContaining({ Name: 'b', MaxAge: -1, SameSite: 1, Unparsed: ['max-age=x'] }),
    ]);
  });
});

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
