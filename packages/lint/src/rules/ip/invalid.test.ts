import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { INVALID } from './invalid.ts';

testRule(it, INVALID, {
  fires: {
    'for a range without a prefix length': {
      policy: when("inCidrRange(conn.ClientIP, «'203.0.113.7'»)"),
      message: '`203.0.113.7` is not a valid CIDR range and never matches; write `203.0.113.7/32`',
      suggested: when("inCidrRange(conn.ClientIP, '203.0.113.7/32')"),
    },
    'for malformed ranges in a list': {
      policy: when("inCidrRanges(conn.ClientIP, [«'10.0.0/8'», '::/0', «'300.1.1.1/8'»])"),
      message:
        '`10.0.0/8` is not a valid CIDR range and never matches; use a range such as `203.0.113.0/24` or `2001:db8::/32`',
    },
    'for an address compared with a range': {
      policy: when("conn.ClientIP == «'203.0.113.0/24'»"),
      message: '`203.0.113.0/24` is a range, which never equals an address; test it with a range function',
    },
    'for an invalid address in the modern profile': {
      policy: when("conn.client_ip in ['203.0.113.7', «'localhost'»]", { phase: 'on_tcp_connect' }),
      profile: 'modern',
    },
  },
  silent: {
    'for valid ranges and addresses': when(
      "inCidrRange(conn.ClientIP, '::/0') || conn.ClientIP in ['203.0.113.7', '::1', '']",
    ),
    'for a range from the request': {
      policy: when("inCidrRange(conn.client_ip, req.headers['x-range'][0])"),
      profile: 'edge-v2-snake',
    },
  },
});
