import { type AddressGroup, groupsInAction, groupsInExpression } from '../../analyses/address-groups.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `allow: [0.0.0.0/0]`. */
export const TOO_BROAD: LintRule = {
  id: 'ip/too-broad',
  severity: 'warning',
  summary: 'IP restriction that contains every address',
  rationale:
    'A prefix of length 0 contains every address of its family. In an allow list without a deny list it restricts nothing, in a deny ' +
    'list it keeps everybody out, and in a condition it is always true for that family.',
  bad: {
    policy: `\
inbound:
  - name: office only
    actions: [{ type: restrict-ips, config: { allow: ["203.0.113.0/24", "«0.0.0.0/0»", "2001:db8:7::/48"] } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: block one network
    actions: [{ type: restrict-ips, config: { allow: ["0.0.0.0/0", "::/0"], deny: ["203.0.113.0/24", "2001:db8:7::/48"] } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      for (const group of groupsInExpression(at)) report(group, context);
    },
    action: (action, _, context) => {
      const groups = groupsInAction(action, context.file.source.text);
      // With a deny list, the allow list has to contain everyone else.
      const isDenying = groups.some(({ purpose, ranges }) => purpose === 'deny' && ranges.length > 0);
      for (const group of groups) if (group.purpose === 'deny' || !isDenying) report(group, context);
    },
  },
};

/** What a range of all addresses does. */
const EFFECTS: Readonly<Record<AddressGroup['purpose'], string>> = {
  allow: ' and restricts nothing',
  deny: ', so all of them are denied',
  test: ', so this test holds for all of them',
};

function report({ ranges, purpose }: AddressGroup, context: LintContext): void {
  for (const { text, range, place } of ranges) {
    if (range?.prefixLength !== 0) continue;
    const family = range.ip.bytes.length === 4 ? 'IPv4' : 'IPv6';
    context.report({
      range: place,
      message: `\`${text}\` contains every ${family} address${EFFECTS[purpose]}; list the intended ranges`,
      args: { found: text, family },
    });
  }
}
