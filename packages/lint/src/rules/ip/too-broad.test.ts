import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { TOO_BROAD } from './too-broad.ts';

testRule(it, TOO_BROAD, {
  fires: {
    'for all of IPv6': {
      policy: when('true', { action: '{type: restrict-ips, config: {allow: ["«::/0»"]}}' }),
      message: '`::/0` holds every address of IPv6, so that nothing is restricted; name the ranges that are meant',
    },
    'in a condition': when("inCidrRange(conn.ClientIP, «'0.0.0.0/0'»)"),
  },
  silent: {
    'where it stands against a list of who may not pass': when('true', {
      action: '{type: restrict-ips, config: {allow: [0.0.0.0/0, "::/0"], deny: [192.0.2.1]}}',
    }),
  },
});
