import { cidrContainsCidr } from '@tollgate/cel';
import type { WrittenRange } from '../../analyses/literals/address-groups.ts';
import { checkGroups } from '../../analyses/literals/check-groups.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `['10.0.0.0/8', '10.1.0.0/16']`. */
export const OVERLAPPING_CIDR: LintRule = {
  id: 'ip/overlapping-cidr',
  severity: 'info',
  summary: 'an address range inside of another of the same list',
  rationale:
    'A range that another entry of its list holds changes nothing. It suggests to the reader that it does: whoever takes it out ' +
    'later believes that its addresses are out.',
  bad: {
    policy: `\
inbound:
  - name: the office
    actions:
      - type: restrict-ips
        config:
          allow:
            - 203.0.113.0/24
            - «203.0.113.16/28»
            - 2001:db8:7::/48
`,
  },
  good: {
    policy: `\
inbound:
  - name: the office
    actions:
      - type: restrict-ips
        config:
          allow:
            - 203.0.113.0/24
            - 2001:db8:7::/48
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: checkGroups(({ ranges }, context) => {
    for (const written of ranges) {
      const holder = holderOf(written, ranges);
      if (!holder) continue;
      const edits = written.remove?.() ?? [];
      context.report({
        range: written.place,
        message: `\`${written.text}\` is ${holder.text === written.text ? 'listed twice' : `inside of \`${holder.text}\``}; leave it out`,
        args: { found: written.text, holder: holder.text },
        related: [{ range: holder.place, message: 'holds all of its addresses' }],
        tags: ['unnecessary'],
        ...(edits.length > 0 && { fixes: [{ title: 'leave it out', applicability: 'safe', edits }] }),
      });
    }
  }),
};

/** Another entry with all addresses of this one; of two equal ones, the first holds the second. */
function holderOf({ range }: WrittenRange, ranges: readonly WrittenRange[]): WrittenRange | undefined {
  if (!range) return undefined;
  const own = ranges.findIndex(one => one.range === range);
  return ranges.find(
    (one, index) =>
      one.range !== undefined &&
      index !== own &&
      cidrContainsCidr(one.range, range) &&
      (one.range.prefixLength < range.prefixLength || index < own),
  );
}
