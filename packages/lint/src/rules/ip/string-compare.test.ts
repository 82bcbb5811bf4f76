import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { STRING_COMPARE } from './string-compare.ts';

testRule(it, STRING_COMPARE, {
  fires: {
    'for a prefix of an address': {
      policy: when("!«conn.ClientIP.startsWith('10.')»"),
      message: 'address is compared as a string with `10.`, not as a range; test for the range `10.0.0.0/8`',
      suggested: when("!inCidrRange(conn.ClientIP, '10.0.0.0/8')"),
    },
    'for a pattern': {
      policy: when("«conn.client_ip.matches('^10[.]')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message: 'address is compared as a string with `^10[.]`, not as a range; use a range function',
    },
    'for an order comparison': when("«conn.ClientIP >= '10.0.0.0'»"),
  },
  silent: {
    'for equality': when("conn.ClientIP == '203.0.113.7'"),
    'for strings that are not addresses': when("req.Host.startsWith('10.')"),
  },
});
