import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CLIENT_CONTROLLED_KEY } from './client-controlled-key.ts';

testRule(it, CLIENT_CONTROLLED_KEY, {
  fires: {
    'for `User-Agent`, even next to the address': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: [conn.client_ip, "«getReqHeader('user-agent')»"]}}`,
      }),
      profile: 'modern',
      message: 'clients can change `user-agent` with every request, which resets the count; count by `conn.client_ip`',
    },
    'for an unverified header as the only key': when('true', {
      action: `{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: ['«getReqHeader("X-Tenant")»']}}`,
    }),
  },
  silent: {
    'for a credential, and a tenant next to it': when('true', {
      action: `{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: ["req.Headers['X-Api-Key']", "req.Headers['X-Tenant']"]}}`,
    }),
    'for the host': when('true', {
      action:
        '{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [req.Host]}}',
    }),
    'for the host, read as a header': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: ["getReqHeader('Host')", "req.headers['host']"]}}`,
      }),
      profile: 'modern',
    },
  },
});
