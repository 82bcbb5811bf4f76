import type { Rule } from '@tollgate/policy';
import { isRefusal } from '../../actions/action-parts.ts';
import type { AddressGroup } from '../../analyses/literals/address-groups.ts';
import { groupsInAction, groupsInExpression } from '../../analyses/literals/address-groups.ts';
import { rangeArgumentsIn } from '../../expressions/range-arguments.ts';
import { literalText } from '../../expressions/variable-path.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `allow: [203.0.113.0/24]`. */
export const MISSING_IPV6: LintRule = {
  id: 'ip/missing-ipv6',
  severity: 'info',
  summary: 'a list of who may pass, or may not, that knows IPv4 only',
  rationale:
    'Clients come over IPv6 as well, and no range of IPv4 holds their addresses: they are refused by a list of those who may pass, ' +
    'and pass a list of those who may not.',
  bad: {
    policy: `\
inbound:
  - name: the office
    actions: [{ type: restrict-ips, config: { allow: «["203.0.113.0/24"]» } }]
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
  fixable: 'no',
  presets: ['security', 'strict'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !at.rule.actions.some(isRefusal)) return;
      const groups = groupsInExpression(at).filter(group => group.isNegated);
      if (groups.length === 0 || asksForIpv6(at.rule, context)) return;
      for (const group of groups) reportIfAlone(group, context);
    },
    action: (action, _, context) => {
      for (const group of groupsInAction(action, context.file.source.text)) reportIfAlone(group, context);
    },
  },
};

/** Whether one of the conditions has a range of IPv6, in a list of its own too. */
function asksForIpv6({ expressions }: Rule, { file }: LintContext): boolean {
  const ranges = expressions.flatMap(({ typed }) => (typed ? rangeArgumentsIn(typed, file.roles) : []));
  return ranges.some(({ node }) =>
    (node.kind === 'list' ? node.elements : [node]).some(one => literalText(one)?.includes(':') ?? true),
  );
}

function reportIfAlone({ ranges, purpose, place }: AddressGroup, context: LintContext): void {
  if (ranges.length === 0 || !ranges.every(({ range }) => range?.ip.bytes.length === 4)) return;
  const effect = purpose === 'deny' ? 'pass' : 'are refused';
  context.report({
    range: place,
    message: `only IPv4 is listed, so that all clients of IPv6 ${effect}; add their ranges, or \`::/0\` for all of them`,
    args: { purpose },
  });
}
