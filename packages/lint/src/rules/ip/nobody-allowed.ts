import type { Action } from '@tollgate/policy';
import { entryOfRole, takesRole } from '../../actions/action-parts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `restrict-ips` with `deny` only. */
export const NOBODY_ALLOWED: LintRule = {
  id: 'ip/nobody-allowed',
  severity: 'error',
  summary: 'a restriction of addresses that lets nobody pass',
  rationale:
    'An address passes when an entry of `allow` holds it and none of `deny` does. Without anything in `allow` nobody passes, whatever ' +
    'is in `deny`. To keep some out, allow everybody else: `0.0.0.0/0` and `::/0`.',
  bad: {
    policy: `\
inbound:
  - name: known for abuse
    actions: [{ type: «restrict-ips», config: { deny: ["203.0.113.0/24", "2001:db8:7::/48"] } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: known for abuse
    actions: [{ type: restrict-ips, config: { allow: ["0.0.0.0/0", "::/0"], deny: ["203.0.113.0/24", "2001:db8:7::/48"] } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      if (!takesRole(action, 'allowed-addresses') || action.config.enforce === false) return;
      if (isGiven(action, 'allowed-addresses') || isGiven(action, 'address-policies')) return;
      context.report({
        range: action.type.range,
        message: `\`${action.type.value}\` without anybody in \`allow\` refuses everybody; allow \`0.0.0.0/0\` and \`::/0\` to refuse some only`,
        args: { action: action.type.value },
      });
    },
  },
};

function isGiven(action: Action, role: 'allowed-addresses' | 'address-policies'): boolean {
  const value = entryOfRole(action, role)?.value;
  return value !== undefined && !(value.kind === 'list' && value.items.length === 0);
}
