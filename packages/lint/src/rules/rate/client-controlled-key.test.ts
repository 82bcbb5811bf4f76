import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { CLIENT_CONTROLLED_KEY } from './client-controlled-key.ts';

testRule(it, CLIENT_CONTROLLED_KEY, {
  fires: {
    'for what a client says of itself, beside its address too': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: [conn.client_ip, "«getReqHeader('user-agent')»"]}}`,
      }),
      profile: 'modern',
      message:
        'clients choose `user-agent` with every request, and each new one is counted from zero; count by `conn.client_ip`',
    },
    'for any header alone': when('true', {
      action: `{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: ['«getReqHeader("X-Tenant")»']}}`,
    }),
  },
  silent: {
    'for keys that are checked, and tenants beside an address': when('true', {
      action: `{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: ["req.Headers['X-Api-Key']", "req.Headers['X-Tenant']"]}}`,
    }),
    'for hosts': when('true', {
      action:
        '{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [req.Host]}}',
    }),
    'for hosts that are read as a header': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: ["getReqHeader('Host')", "req.headers['host']"]}}`,
      }),
      profile: 'modern',
    },
  },
});
