import { cidrToString, isMaskCidr, maskedCidr } from '@tollgate/cel/tooling';
import { checkGroups } from '../../analyses/address-groups.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `10.0.0.5/8`. */
export const HOST_BITS_SET: LintRule = {
  id: 'ip/host-bits-set',
  severity: 'warning',
  summary: 'CIDR range with host bits set',
  rationale:
    'Bits after the prefix are ignored: `10.0.0.5/8` means all of `10.0.0.0/8`. If a single address was intended, write it with `/32`, ' +
    'or `/128` for IPv6.',
  bad: {
    policy: `\
inbound:
  - name: office only
    actions: [{ type: restrict-ips, config: { allow: ["«203.0.113.77/24»", "2001:db8:7::/48"] } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: office only
    actions: [{ type: restrict-ips, config: { allow: ["203.0.113.0/24", "2001:db8:7::/48"] } }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: checkGroups(({ ranges }, context) => {
    for (const { text, range, place, replace } of ranges) {
      if (!range || isMaskCidr(range)) continue;
      const masked = cidrToString(maskedCidr(range));
      context.report({
        range: place,
        message: `\`${text}\` has host bits set and means \`${masked}\`; write that, or a longer prefix`,
        args: { found: text, suggestion: masked },
        fixes: [{ title: `change to \`${masked}\``, applicability: 'safe', edits: replace(masked) }],
      });
    }
  }),
};
