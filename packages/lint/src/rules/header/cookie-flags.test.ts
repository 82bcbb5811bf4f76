import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { COOKIE_FLAGS } from './cookie-flags.ts';

const cookie = (value: string, phase = 'on_http_response', name = 'set-cookie') =>
  `${phase}: [{ actions: [{ type: add-headers, config: { headers: { ${name}: "${value}" } } }] }]\n`;

testRule(it, COOKIE_FLAGS, {
  fires: {
    'for one missing attribute': {
      policy: cookie('«sid=abc; Secure; SameSite=Strict»'),
      profile: 'modern',
      message: 'cookie `sid` is set without `HttpOnly`; add `HttpOnly`',
      suggested: cookie('sid=abc; Secure; SameSite=Strict; HttpOnly'),
    },
    'for an interpolated value': {
      policy: cookie("«token=${getReqHeader('x-token').join(';')}; httponly»"),
      profile: 'modern',
      message: 'cookie `token` is set without `Secure` and `SameSite`; add `Secure; SameSite=Lax`',
    },
    'for `SameSite` without a valid value': {
      policy: cookie('«a=b; Secure; HttpOnly; SameSite=»'),
      profile: 'modern',
    },
    'for attribute names inside the value': {
      policy: cookie('«a=Secure HttpOnly»', 'outbound', 'SET-COOKIE'),
      profile: 'edge-v2-snake',
    },
    'in a custom response': {
      policy: `inbound: [{ actions: [{ type: custom-response, config: { content: hi, headers: { Set-Cookie: '«visited=1;»' } } }] }]\n`,
      suggested: `inbound: [{ actions: [{ type: custom-response, config: { content: hi, headers: { Set-Cookie: 'visited=1; Secure; HttpOnly; SameSite=Lax' } } }] }]\n`,
    },
  },
  silent: {
    'for a cookie deleted with `Max-Age=0`': cookie('sid=; Max-Age=0; Path=/', 'outbound'),
    'for a cookie deleted with a past expiry date': cookie('sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'outbound'),
    'for a CSRF token that scripts must read': cookie('XSRF-TOKEN=1; Secure; SameSite=Lax', 'outbound'),
    'for a cookie that is copied as a whole': {
      policy: cookie("${getResHeader('x-cookie').join('')}"),
      profile: 'modern',
    },
  },
});
