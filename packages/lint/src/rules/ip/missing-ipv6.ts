import type { Rule } from '@tollgate/policy';
import { type AddressGroup, groupsInAction, groupsInExpression } from '../../analyses/address-groups.ts';
import { isRefusal } from '../../readers/actions.ts';
import { rangeArgumentsIn } from '../../readers/lookups.ts';
import { literalString } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `allow: [203.0.113.0/24]`. */
export const MISSING_IPV6: LintRule = {
  id: 'ip/missing-ipv6',
  severity: 'info',
  summary: 'address list with IPv4 ranges only',
  rationale:
    'Clients also connect over IPv6, and no IPv4 range contains their addresses. An allow list with IPv4 ranges only blocks all of ' +
    'them; a deny list lets all of them pass.',
  bad: {
    policy: `\
inbound:
  - name: office only
    actions: [{ type: restrict-ips, config: { allow: «["203.0.113.0/24"]» } }]
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
  fixable: 'no',
  presets: ['security', 'strict'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !at.rule.actions.some(isRefusal)) return;
      const groups = groupsInExpression(at).filter(group => group.isNegated);
      if (groups.length === 0 || testsIpv6(at.rule, context)) return;
      for (const group of groups) reportIfAlone(group, context);
    },
    action: (action, _, context) => {
      for (const group of groupsInAction(action, context.file.source.text)) reportIfAlone(group, context);
    },
  },
};

/** True if a condition of the rule contains an IPv6 range, in this list or another. */
function testsIpv6({ expressions }: Rule, { file }: LintContext): boolean {
  const ranges = expressions.flatMap(({ typed }) => (typed ? rangeArgumentsIn(typed, file.roles) : []));
  return ranges.some(({ node }) =>
    (node.kind === 'list' ? node.elements : [node]).some(element => literalString(element)?.includes(':') ?? true),
  );
}

function reportIfAlone({ ranges, purpose, place }: AddressGroup, context: LintContext): void {
  if (ranges.length === 0 || !ranges.every(({ range }) => range?.ip.bytes.length === 4)) return;
  const effect = purpose === 'deny' ? 'pass' : 'are denied';
  context.report({
    range: place,
    message: `list contains only IPv4 ranges, so all IPv6 clients ${effect}; add their ranges, or \`::/0\``,
    args: { purpose },
  });
}
