import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { STRING_COMPARE } from './string-compare.ts';

testRule(it, STRING_COMPARE, {
  fires: {
    'for the beginning of an address': {
      policy: when("!«conn.ClientIP.startsWith('10.')»"),
      message:
        'an address compared as text, with `10.`, is not compared with a network; ask whether it is in `10.0.0.0/8`',
      suggested: when("!inCidrRange(conn.ClientIP, '10.0.0.0/8')"),
    },
    'for a pattern': {
      policy: when("«conn.client_ip.matches('^10[.]')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message:
        'an address compared as text, with `^10[.]`, is not compared with a network; ask a function for address ranges',
    },
    'for an order of texts': when("«conn.ClientIP >= '10.0.0.0'»"),
  },
  silent: {
    'for equality': when("conn.ClientIP == '203.0.113.7'"),
    'for parts of other texts': when("req.Host.startsWith('10.')"),
  },
});
