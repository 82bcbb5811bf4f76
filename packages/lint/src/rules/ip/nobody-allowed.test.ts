import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { NOBODY_ALLOWED } from './nobody-allowed.ts';

testRule(it, NOBODY_ALLOWED, {
  fires: {
    'for an empty list': {
      policy: when('true', { action: '{type: «restrict-ips», config: {allow: [], deny: [192.0.2.1]}}' }),
      message:
        '`restrict-ips` without anybody in `allow` refuses everybody; allow `0.0.0.0/0` and `::/0` to refuse some only',
    },
    'without a configuration': {
      policy: when('true', { phase: 'on_tcp_connect', action: '{type: «restrict-ips»}' }),
      profile: 'modern',
    },
  },
  silent: {
    'where nothing is enforced': when('true', {
      action: '{type: restrict-ips, config: {enforce: false, deny: [192.0.2.1]}}',
    }),
    'for policies that are managed apart': when('true', {
      action: '{type: restrict-ips, config: {ip_policies: [ipp_1]}}',
    }),
  },
});
