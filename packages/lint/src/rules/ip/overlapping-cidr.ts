import { cidrContainsCidr } from '@tollgate/cel/tooling';
import { checkGroups, type RangeLiteral } from '../../analyses/address-groups.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `['10.0.0.0/8', '10.1.0.0/16']`. */
export const OVERLAPPING_CIDR: LintRule = {
  id: 'ip/overlapping-cidr',
  severity: 'info',
  summary: 'CIDR range that another entry of the list contains',
  rationale:
    'A range that another entry of the same list contains has no effect. It also misleads: someone who removes it later believes that ' +
    'its addresses are no longer listed.',
  bad: {
    policy: `\
inbound:
  - name: office only
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
  - name: office only
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
    for (const entry of ranges) {
      const container = containerOf(entry, ranges);
      if (!container) continue;
      const edits = entry.remove?.() ?? [];
      context.report({
        range: entry.place,
        message: `\`${entry.text}\` is ${container.text === entry.text ? 'listed twice' : `already contained in \`${container.text}\``}; remove it`,
        args: { found: entry.text, holder: container.text },
        related: [{ range: container.place, message: 'contains all of its addresses' }],
        tags: ['unnecessary'],
        ...(edits.length > 0 && { fixes: [{ title: 'remove the redundant range', applicability: 'safe', edits }] }),
      });
    }
  }),
};

/** Returns another entry that contains this one. Of two equal entries, the first contains the second. */
function containerOf({ range }: RangeLiteral, ranges: readonly RangeLiteral[]): RangeLiteral | undefined {
  if (!range) return undefined;
  const position = ranges.findIndex(entry => entry.range === range);
  return ranges.find(
    (entry, index) =>
      entry.range !== undefined &&
      index !== position &&
      cidrContainsCidr(entry.range, range) &&
      (entry.range.prefixLength < range.prefixLength || index < position),
  );
}
