import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { COOKIE_FLAGS } from './cookie-flags.ts';

const cookie = (value: string, phase = 'on_http_response', name = 'set-cookie') =>
  `${phase}: [{ actions: [{ type: add-headers, config: { headers: { ${name}: "${value}" } } }] }]\n`;

testRule(it, COOKIE_FLAGS, {
  fires: {
    'for one that is missing': {
      policy: cookie('«sid=abc; Secure; SameSite=Strict»'),
      profile: 'modern',
      message: 'the cookie `sid` is set without `HttpOnly`; add `HttpOnly`',
      suggested: cookie('sid=abc; Secure; SameSite=Strict; HttpOnly'),
    },
    'for values that are filled in': {
      policy: cookie("«token=${getReqHeader('x-token').join(';')}; httponly»"),
      profile: 'modern',
      message: 'the cookie `token` is set without `Secure` and `SameSite`; add `Secure; SameSite=Lax`',
    },
    'for SameSite without a value that browsers know': {
      policy: cookie('«a=b; Secure; HttpOnly; SameSite=»'),
      profile: 'modern',
    },
    'for words of the value that only look like attributes': {
      policy: cookie('«a=Secure HttpOnly»', 'outbound', 'SET-COOKIE'),
      profile: 'edge-v2-snake',
    },
    'in answers': {
      policy: `inbound: [{ actions: [{ type: custom-response, config: { content: hi, headers: { Set-Cookie: '«visited=1;»' } } }] }]\n`,
      suggested: `inbound: [{ actions: [{ type: custom-response, config: { content: hi, headers: { Set-Cookie: 'visited=1; Secure; HttpOnly; SameSite=Lax' } } }] }]\n`,
    },
  },
  silent: {
    'for cookies that are deleted': cookie('sid=; Max-Age=0; Path=/', 'outbound'),
    'for cookies that expired long ago': cookie('sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'outbound'),
    'for tokens that scripts send back': cookie('XSRF-TOKEN=1; Secure; SameSite=Lax', 'outbound'),
    'for cookies of somebody else': { policy: cookie("${getResHeader('x-cookie').join('')}"), profile: 'modern' },
  },
});
