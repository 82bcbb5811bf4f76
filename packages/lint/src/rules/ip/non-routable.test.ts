import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NON_ROUTABLE } from './non-routable.ts';

testRule(it, NON_ROUTABLE, {
  fires: {
    'for private networks': {
      policy: when("inCidrRanges(conn.ClientIP, [«'10.1.0.0/16'», '203.0.113.0/24', «'fd00::/8'»])"),
      message:
        '`10.1.0.0/16` is reserved for private networks (RFC 1918) and never reaches a public edge; use public addresses',
    },
    'for a loopback address': when("conn.ClientIP == «'127.0.0.1'»"),
    'in a configuration on a TCP edge': {
      policy: 'inbound: [{actions: [{type: restrict-ips, config: {allow: ["«192.168.1.7»"]}}]}]',
      endpoint: 'tcp-edge',
    },
  },
  silent: {
    'for ranges that contain public addresses too': when("inCidrRange(conn.ClientIP, '0.0.0.0/0')"),
    'for documentation addresses': when("inCidrRange(conn.ClientIP, '192.0.2.0/24')"),
    'on an internal endpoint': {
      policy: when("inCidrRange(conn.client_ip, '10.0.0.0/8')", { phase: 'on_http_request' }),
      profile: 'modern',
      endpoint: 'internal-http-endpoint',
    },
  },
});
