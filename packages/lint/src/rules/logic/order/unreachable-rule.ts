import { removeRuleFix } from '../../../fixes/remove-rule.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, namesOfRules, placeOfRule } from '../../../rule-api/rule-name.ts';

/** A rule behind others that end the evaluation for all that it matches. */
export const UNREACHABLE_RULE: LintRule = {
  id: 'logic/unreachable-rule',
  severity: 'error',
  summary: 'a rule that earlier rules leave no traffic for',
  rationale:
    'Everything that the rule would match is ended by the rules before it, alone or together, so it never runs. That is proved from the ' +
    'conditions; where an action in between might change what they read, nothing is claimed.',
  bad: {
    policy: `\
inbound:
  - name: no writing
    expressions: ["req.Method in ['PUT', 'POST']"]
    actions: [{ type: deny, config: { status_code: 405 } }]
  - name: «count uploads»
    expressions: ["req.Method == 'PUT' && req.ContentLength > 1000"]
    actions: [{ type: log, config: { metadata: { kind: upload } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: count uploads
    expressions: ["req.Method == 'PUT' && req.ContentLength > 1000"]
    actions: [{ type: log, config: { metadata: { kind: upload } } }]
  - name: no writing
    expressions: ["req.Method in ['PUT', 'POST']"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const document = context.file.source.text;
      for (const { kind, covered, by } of policyLogic(policy, context.file).covered) {
        if (kind !== 'unreachable') continue;
        const rules = by.map(one => one.rule);
        const fix = removeRuleFix(covered.rule, policy, document);
        context.report({
          range: placeOfRule(covered.rule, document),
          message: `this rule never runs: ${namesOfRules(rules)} ${rules.length === 1 ? 'ends' : 'end'} all that it would match; move it before, or remove it`,
          args: { rules: rules.map(rule => rule.index + 1).join() },
          related: rules.map(rule => ({
            range: placeOfRule(rule, document),
            message: `${nameOfRule(rule)} ends the evaluation`,
          })),
          fixes: fix ? [fix] : [],
          tags: ['unnecessary'],
        });
      }
    },
  },
};
