import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { HOST_BITS_SET } from './host-bits-set.ts';

testRule(it, HOST_BITS_SET, {
  fires: {
    'in a condition': {
      policy: when("inCidrRange(conn.ClientIP, «'10.0.0.5/8'»)"),
      message: '`10.0.0.5/8` has host bits set and means `10.0.0.0/8`; write that, or a longer prefix',
      fixed: when("inCidrRange(conn.ClientIP, '10.0.0.0/8')"),
    },
    'for an IPv6 range in a list': {
      policy: when('true', { action: '{type: restrict-ips, config: {allow: ["«2001:db8::1/32»"]}}' }),
      fixed: when('true', { action: '{type: restrict-ips, config: {allow: ["2001:db8::/32"]}}' }),
    },
  },
  silent: {
    'for single addresses': when('true', {
      action: '{type: restrict-ips, config: {deny: ["192.0.2.7", "192.0.2.8/32"]}}',
    }),
    'for an interpolated range': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: restrict-ips, config: {allow: ["${req.host}"]}}',
      }),
      profile: 'modern',
    },
  },
});
