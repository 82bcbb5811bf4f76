import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { OVERLAPPING_CIDR } from './overlapping-cidr.ts';

testRule(it, OVERLAPPING_CIDR, {
  fires: {
    'for a range in another, in any order': {
      policy: when("inCidrRanges(conn.ClientIP, [«'10.1.0.0/16'», '10.0.0.0/8', '::/0', «'2001:db8::/32'»])"),
      message: '`10.1.0.0/16` is already contained in `10.0.0.0/8`; remove it',
      fixed: when("inCidrRanges(conn.ClientIP, ['10.0.0.0/8', '::/0'])"),
    },
    'for the second of two equal ranges': {
      policy: when('true', {
        action: '{type: restrict-ips, config: {allow: ["192.0.2.1", "::/0", "«192.0.2.1/32»"]}}',
      }),
      message: '`192.0.2.1/32` is already contained in `192.0.2.1`; remove it',
      fixed: when('true', { action: '{type: restrict-ips, config: {allow: ["192.0.2.1", "::/0"]}}' }),
    },
  },
  silent: {
    'for ranges in different lists': when('true', {
      action: '{type: restrict-ips, config: {allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"]}}',
    }),
    'for adjacent ranges': when("inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9'])"),
  },
});
