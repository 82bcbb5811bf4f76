import { Timestamp } from '@tollgate/cel';
import { describe, expect, it } from 'vitest';
import { requestCookies, responseCookies } from './cookies.ts';

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
