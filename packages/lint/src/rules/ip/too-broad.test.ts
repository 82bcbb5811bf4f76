import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { TOO_BROAD } from './too-broad.ts';

testRule(it, TOO_BROAD, {
  fires: {
    'for every IPv6 address': {
      policy: when('true', { action: '{type: restrict-ips, config: {allow: ["«::/0»"]}}' }),
      message: '`::/0` contains every IPv6 address and restricts nothing; list the intended ranges',
    },
    'in a deny list': {
      policy: when('true', {
        action: '{type: restrict-ips, config: {allow: ["2001:db8::/32"], deny: ["«0.0.0.0/0»"]}}',
      }),
      message: '`0.0.0.0/0` contains every IPv4 address, so all of them are denied; list the intended ranges',
    },
    'in the condition of a rule that denies': {
      policy: when("inCidrRange(conn.ClientIP, «'0.0.0.0/0'»)"),
      message: '`0.0.0.0/0` contains every IPv4 address, so this test holds for all of them; list the intended ranges',
    },
  },
  silent: {
    'next to a deny list': when('true', {
      action: '{type: restrict-ips, config: {allow: [0.0.0.0/0, "::/0"], deny: [192.0.2.1]}}',
    }),
  },
});
