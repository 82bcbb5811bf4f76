import { endsEvaluation } from '../../logic/example-exchanges.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { namesOfRules, rangeOfRule } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports a rule whose traffic earlier rules handle differently. */
export const SHADOWED_DIFFERENT_ACTION: LintRule = {
  id: 'logic/shadowed-different-action',
  severity: 'error',
  summary: 'rule that earlier rules override with a different outcome',
  rationale:
    'Earlier rules decide everything that this rule would decide, with a different outcome: a request that it should answer is denied, ' +
    'or one that it should deny is answered. Among unreachable rules, these are the most likely to be a security hole.',
  bad: {
    policy: `\
inbound:
  - name: maintenance
    expressions: ["req.Path.startsWith('/shop/')"]
    actions:
      - type: custom-response
        config: { status_code: 503, content: back soon, headers: { Content-Type: text/plain, Retry-After: '600' } }
  - name: «no order pages»
    expressions: ["req.Path.startsWith('/shop/orders/')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no order pages
    expressions: ["req.Path.startsWith('/shop/orders/')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
  - name: maintenance
    expressions: ["req.Path.startsWith('/shop/')"]
    actions:
      - type: custom-response
        config: { status_code: 503, content: back soon, headers: { Content-Type: text/plain, Retry-After: '600' } }
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      const document = context.file.source.text;
      for (const { kind, covered, by, taken } of policyLogic(policy, context.file).covered) {
        if (kind !== 'different') continue;
        const rules = by.map(({ rule }) => rule);
        const types = [...new Set(by.map(({ effect }) => effect.end!.type.value))];
        const others = `${namesOfRules(rules)} ${rules.length === 1 ? 'handles' : 'handle'} all of its traffic`;
        context.report({
          range: rangeOfRule(covered.rule, document),
          message: `\`${covered.effect.end!.type.value}\` never runs: ${others} with \`${types.join('`, `')}\`; move this rule before ${rules.length === 1 ? 'it' : 'them'}`,
          args: { rules: rules.map(rule => rule.index + 1).join() },
          related: rules.map(rule => ({
            range: rangeOfRule(rule, document),
            message: endsEvaluation(rule, taken.get(rule)),
          })),
        });
      }
    },
  },
};
