import { terminationOf } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOfRule } from '../../../rule-api/rule-name.ts';

/** Names that say that the rest is to be refused. */
const ALLOWS = /\b(?:allow(?:s|ed|list)?|permit(?:s|ted)?|whitelist(?:ed)?|only)\b|^allow[A-Z]/i;

/** A rule `allow our own countries`, and nothing that refuses anybody. */
export const ALLOW_WITHOUT_DENY: LintRule = {
  id: 'logic/allow-without-deny',
  severity: 'warning',
  summary: 'a rule that is named for what it allows, in a policy that refuses nothing',
  rationale:
    'Traffic that no rule ends is passed on. A rule that matches what is allowed, and does not end it, allows nothing that was not allowed ' +
    'anyway: there must be a rule that refuses the rest.',
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
  - name: refuse all but our own countries
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
          range: placeOfRule(rule, context.file.source.text),
          message: `\`${rule.name!.value}\` allows nothing: no rule refuses the rest, so all traffic passes; add one that does`,
        });
      }
    },
  },
};

/** An action that the profile does not know may do anything. */
function mayRefuse(policy: Policy): boolean {
  const actions = Object.values(policy.rules).flatMap(rules => rules.flatMap(rule => rule.actions));
  return actions.some(action => terminationOf(action) !== 'never');
}
