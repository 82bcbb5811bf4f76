import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { OVERLAPPING_CIDR } from './overlapping-cidr.ts';

testRule(it, OVERLAPPING_CIDR, {
  fires: {
    'for a range in another, wherever that stands': {
      policy: when("inCidrRanges(conn.ClientIP, [«'10.1.0.0/16'», '10.0.0.0/8', '::/0', «'2001:db8::/32'»])"),
      message: '`10.1.0.0/16` is inside of `10.0.0.0/8`; leave it out',
      fixed: when("inCidrRanges(conn.ClientIP, ['10.0.0.0/8', '::/0'])"),
    },
    'for the second of two equal ones': {
      policy: when('true', {
        action: '{type: restrict-ips, config: {allow: ["192.0.2.1", "::/0", "«192.0.2.1/32»"]}}',
      }),
      message: '`192.0.2.1/32` is inside of `192.0.2.1`; leave it out',
      fixed: when('true', { action: '{type: restrict-ips, config: {allow: ["192.0.2.1", "::/0"]}}' }),
    },
  },
  silent: {
    'for lists with another purpose': when('true', {
      action: '{type: restrict-ips, config: {allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"]}}',
    }),
    'for neighbours': when("inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9'])"),
  },
});
