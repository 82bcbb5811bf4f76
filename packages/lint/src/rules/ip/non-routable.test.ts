import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { NON_ROUTABLE } from './non-routable.ts';

testRule(it, NON_ROUTABLE, {
  fires: {
    'for private networks': {
      policy: when("inCidrRanges(conn.ClientIP, [«'10.1.0.0/16'», '203.0.113.0/24', «'fd00::/8'»])"),
      message:
        '`10.1.0.0/16` is for private networks (RFC 1918) and never reaches a public edge; write the public addresses of that network',
    },
    'for the own machine': when("conn.ClientIP == «'127.0.0.1'»"),
    'in configurations, on edges of other kinds': {
      policy: 'inbound: [{actions: [{type: restrict-ips, config: {allow: ["«192.168.1.7»"]}}]}]',
      endpoint: 'tcp-edge',
    },
  },
  silent: {
    'for ranges that hold more': when("inCidrRange(conn.ClientIP, '0.0.0.0/0')"),
    'for addresses to learn from': when("inCidrRange(conn.ClientIP, '192.0.2.0/24')"),
    'where traffic may come from inside': {
      policy: when("inCidrRange(conn.client_ip, '10.0.0.0/8')", { phase: 'on_http_request' }),
      profile: 'modern',
      endpoint: 'internal-http-endpoint',
    },
  },
});
