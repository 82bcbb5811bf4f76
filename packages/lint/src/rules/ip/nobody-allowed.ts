import type { Action } from '@tollgate/policy';
import { entryOfRole, takesRole } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `restrict-ips` with `deny` only. */
export const NOBODY_ALLOWED: LintRule = {
  id: 'ip/nobody-allowed',
  severity: 'error',
  summary: 'IP restriction that denies everyone',
  rationale:
    'An address passes if `allow` contains it and `deny` does not. With an empty `allow` nobody passes, whatever `deny` contains. To ' +
    'block only some addresses, allow everyone else with `0.0.0.0/0` and `::/0`.',
  bad: {
    policy: `\
inbound:
  - name: block abusers
    actions: [{ type: «restrict-ips», config: { deny: ["203.0.113.0/24", "2001:db8:7::/48"] } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: block abusers
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
        message: `\`${action.type.value}\` with an empty \`allow\` denies everyone; allow \`0.0.0.0/0\` and \`::/0\` to block only the addresses in \`deny\``,
        args: { action: action.type.value },
      });
    },
  },
};

function isGiven(action: Action, role: 'allowed-addresses' | 'address-policies'): boolean {
  const value = entryOfRole(action, role)?.value;
  return value !== undefined && !(value.kind === 'list' && value.items.length === 0);
}
