import { cidrToString, isMaskCidr, maskedCidr } from '@tollgate/cel';
import { checkGroups } from '../../analyses/literals/check-groups.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `10.0.0.5/8`. */
export const HOST_BITS_SET: LintRule = {
  id: 'ip/host-bits-set',
  severity: 'warning',
  summary: 'an address range that begins before the address in it',
  rationale:
    'The bits behind the prefix do not count: `10.0.0.5/8` is all of `10.0.0.0/8`. Whoever writes an address there may have meant ' +
    'that address alone, with `/32`.',
  bad: {
    policy: `\
inbound:
  - name: the office
    actions: [{ type: restrict-ips, config: { allow: ["«203.0.113.77/24»", "2001:db8:7::/48"] } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the office
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
        message: `\`${text}\` is the whole of \`${masked}\`; write that, or a longer prefix if less is meant`,
        args: { found: text, suggestion: masked },
        fixes: [{ title: `change to \`${masked}\``, applicability: 'safe', edits: replace(masked) }],
      });
    }
  }),
};
