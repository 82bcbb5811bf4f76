import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, namesOfRules, placeOfRule } from '../../../rule-api/rule-name.ts';

/** A rule that would end in another way than those that leave it nothing. */
export const SHADOWED_DIFFERENT_ACTION: LintRule = {
  id: 'logic/shadowed-different-action',
  severity: 'error',
  summary: 'a rule that never decides, because earlier rules decide otherwise',
  rationale:
    'Everything that the rule would decide is decided before it, and differently: what it should answer is denied, or what it should deny is ' +
    'answered. Of all rules that are never reached these are the most likely to be a hole.',
  bad: {
    policy: `\
inbound:
  - name: maintenance
    expressions: ["req.Path.startsWith('/shop/')"]
    actions:
      - type: custom-response
        config: { status_code: 503, content: back soon, headers: { Content-Type: text/plain, Retry-After: '600' } }
  - name: «no access to orders»
    expressions: ["req.Path.startsWith('/shop/orders/')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no access to orders
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
      for (const { kind, covered, by } of policyLogic(policy, context.file).covered) {
        if (kind !== 'different') continue;
        const rules = by.map(one => one.rule);
        const types = [...new Set(by.map(one => one.effect.end!.type.value))];
        const others = `${namesOfRules(rules)} ${rules.length === 1 ? 'ends' : 'end'} all that it would match`;
        context.report({
          range: placeOfRule(covered.rule, document),
          message: `the \`${covered.effect.end!.type.value}\` of this rule never happens: ${others}, by \`${types.join('`, `')}\`; move the rule before ${rules.length === 1 ? 'it' : 'them'}`,
          args: { rules: rules.map(rule => rule.index + 1).join() },
          related: rules.map(rule => ({
            range: placeOfRule(rule, document),
            message: `${nameOfRule(rule)} decides instead`,
          })),
        });
      }
    },
  },
};
