import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { TRUSTS_CLIENT_IP_HEADER } from './trusts-client-ip-header.ts';

testRule(it, TRUSTS_CLIENT_IP_HEADER, {
  fires: {
    'and suggests the address of the connection': {
      policy: when("«req.Headers['X-Real-Ip']»[0] == '203.0.113.7'"),
      suggested: when("conn.ClientIP == '203.0.113.7'"),
    },
    'for an address range': {
      policy: when("inCidrRange(«req.headers['x-forwarded-for']»[0], '203.0.113.0/24')", { phase: 'on_http_request' }),
      profile: 'modern',
      message: 'clients can send any address in `x-forwarded-for`; use `conn.client_ip`, the address of the connection',
    },
    'for a rate limit': when("«getReqHeader('X-Real-Ip')» == ['192.0.2.1']", {
      action:
        '{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [req.Host]}}',
    }),
  },
  silent: {
    'for a rule that only logs': when("req.Headers['X-Real-Ip'][0] == '192.0.2.1'", {
      action: '{type: log, config: {metadata: {a: b}}}',
    }),
    'for a test of presence': when("hasReqHeader('X-Forwarded-For') || 'X-Real-Ip' in req.Headers"),
    'for other headers': when("getReqHeader('X-Api-Key') == ['k']"),
  },
});
