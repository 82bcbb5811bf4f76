import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { MISSING_IPV6 } from './missing-ipv6.ts';

testRule(it, MISSING_IPV6, {
  fires: {
    'for who may not pass': {
      policy: when('true', {
        action: '{type: restrict-ips, config: {allow: ["::/0", "0.0.0.0/0"], deny: «[192.0.2.1]»}}',
      }),
      message: 'only IPv4 is listed, so that all clients of IPv6 pass; add their ranges, or `::/0` for all of them',
    },
    'for a condition that refuses all others': {
      policy: when("!inCidrRange(conn.ClientIP, «'203.0.113.0/24'»)"),
      message:
        'only IPv4 is listed, so that all clients of IPv6 are refused; add their ranges, or `::/0` for all of them',
    },
  },
  silent: {
    'where IPv6 is asked for by itself': when(
      "!inCidrRange(conn.ClientIP, '203.0.113.0/24') && !inCidrRange(conn.ClientIP, '2001:db8::/32')",
    ),
    'for a condition that picks some': when("inCidrRange(conn.ClientIP, '203.0.113.0/24')"),
    'for a condition that refuses nobody': when("!inCidrRange(conn.ClientIP, '203.0.113.0/24')", {
      action: '{type: log, config: {metadata: {who: else}}}',
    }),
  },
});
