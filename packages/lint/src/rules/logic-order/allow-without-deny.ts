import { terminationOf } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import { rangeOfRule } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Names that imply that everything else is denied. */
const ALLOWS = /\b(?:allow(?:s|ed|list)?|permit(?:s|ted)?|whitelist(?:ed)?|only)\b|^allow[A-Z]/i;

/** Reports a rule named `allow our own countries` in a policy that denies nobody. */
export const ALLOW_WITHOUT_DENY: LintRule = {
  id: 'logic/allow-without-deny',
  severity: 'warning',
  summary: 'rule named after what it allows, in a policy that denies nothing',
  rationale:
    'Traffic that no rule terminates passes. A rule that matches the allowed traffic without terminating it allows nothing that would ' +
    'not have passed anyway. Another rule has to deny the rest.',
  bad: {
    policy: `\
inbound:
  - name: «allow our own countries»
    expressions: ["conn.Geo.CountryCode in ['DE', 'FR']"]
    actions: [{ type: log, config: { metadata: { from: near } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: deny other countries
    expressions: ["!(conn.Geo.CountryCode in ['DE', 'FR'])"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      if (mayRefuse(policy)) return;
      for (const rule of Object.values(policy.rules).flat()) {
        const isLimited = rule.expressions.length > 0 && ALLOWS.test(rule.name?.value ?? '');
        if (!isLimited) continue;
        context.report({
          range: rangeOfRule(rule, context.file.source.text),
          message: `\`${rule.name!.value}\` restricts nothing: no rule denies other traffic; add one that does`,
        });
      }
    },
  },
};

/** True if any action may end evaluation; an unknown action may do anything. */
function mayRefuse(policy: Policy): boolean {
  const actions = Object.values(policy.rules).flatMap(rules => rules.flatMap(rule => rule.actions));
  return actions.some(action => terminationOf(action) !== 'never');
}
