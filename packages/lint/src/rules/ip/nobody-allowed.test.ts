import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NOBODY_ALLOWED } from './nobody-allowed.ts';

testRule(it, NOBODY_ALLOWED, {
  fires: {
    'for an empty allow list': {
      policy: when('true', { action: '{type: «restrict-ips», config: {allow: [], deny: [192.0.2.1]}}' }),
      message:
        '`restrict-ips` with an empty `allow` denies everyone; allow `0.0.0.0/0` and `::/0` to block only the addresses in `deny`',
    },
    'without a configuration': {
      policy: when('true', { phase: 'on_tcp_connect', action: '{type: «restrict-ips»}' }),
      profile: 'modern',
    },
  },
  silent: {
    'when it is not enforced': when('true', {
      action: '{type: restrict-ips, config: {enforce: false, deny: [192.0.2.1]}}',
    }),
    'for IP policies that are managed elsewhere': when('true', {
      action: '{type: restrict-ips, config: {ip_policies: [ipp_1]}}',
    }),
  },
});
