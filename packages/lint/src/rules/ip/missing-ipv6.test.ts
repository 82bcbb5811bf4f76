import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { MISSING_IPV6 } from './missing-ipv6.ts';

testRule(it, MISSING_IPV6, {
  fires: {
    'for a deny list': {
      policy: when('true', {
        action: '{type: restrict-ips, config: {allow: ["::/0", "0.0.0.0/0"], deny: «[192.0.2.1]»}}',
      }),
      message: 'list contains only IPv4 ranges, so all IPv6 clients pass; add their ranges, or `::/0`',
    },
    'for a condition that denies everyone else': {
      policy: when("!inCidrRange(conn.ClientIP, «'203.0.113.0/24'»)"),
      message: 'list contains only IPv4 ranges, so all IPv6 clients are denied; add their ranges, or `::/0`',
    },
  },
  silent: {
    'when another test covers IPv6': when(
      "!inCidrRange(conn.ClientIP, '203.0.113.0/24') && !inCidrRange(conn.ClientIP, '2001:db8::/32')",
    ),
    'for a condition that selects a range': when("inCidrRange(conn.ClientIP, '203.0.113.0/24')"),
    'for a rule that denies nobody': when("!inCidrRange(conn.ClientIP, '203.0.113.0/24')", {
      action: '{type: log, config: {metadata: {who: else}}}',
    }),
  },
});
