import type { Rule } from '@tollgate/policy';
import { endsEvaluation } from '../../logic/example-exchanges.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { namesOfRules, rangeOfRule } from '../../readers/actions.ts';
import { removeRuleFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports a rule after others that end evaluation for everything it matches. */
export const UNREACHABLE_RULE: LintRule = {
  id: 'logic/unreachable-rule',
  severity: 'error',
  summary: 'unreachable rule',
  rationale:
    'Earlier rules, alone or together, end evaluation for everything that this rule matches, so it never runs. This is proved from the ' +
    'conditions; nothing is reported if an action in between might change their inputs.',
  bad: {
    policy: `\
inbound:
  - name: read-only
    expressions: ["req.Method in ['PUT', 'POST']"]
    actions: [{ type: deny, config: { status_code: 405 } }]
  - name: «log uploads»
    expressions: ["req.Method == 'PUT' && req.ContentLength > 1000"]
    actions: [{ type: log, config: { metadata: { kind: upload } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: log uploads
    expressions: ["req.Method == 'PUT' && req.ContentLength > 1000"]
    actions: [{ type: log, config: { metadata: { kind: upload } } }]
  - name: read-only
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
      for (const { kind, covered, by, taken } of policyLogic(policy, context.file).covered) {
        if (kind !== 'unreachable' && kind !== 'unset') continue;
        const rules = by.map(({ rule }) => rule);
        const fix = removeRuleFix(covered.rule, policy, document);
        context.report({
          range: rangeOfRule(covered.rule, document),
          message: `rule never runs: ${reasonFor(covered.rule, rules)}, or remove it`,
          args: { rules: rules.map(rule => rule.index + 1).join() },
          related: rules.map(rule => ({
            range: rangeOfRule(rule, document),
            message: endsEvaluation(rule, taken.get(rule)),
          })),
          fixes: fix ? [fix] : [],
          tags: ['unnecessary'],
        });
      }
    },
  },
};

/** Returns why a rule never runs, with what to do about it. */
function reasonFor({ phase }: Rule, by: readonly Rule[]): string {
  if (by.length === 0)
    return `no earlier rule of \`${phase}\` sets the variables that it reads; set them in this phase`;
  const verb = by.length === 1 ? 'handles' : 'handle';
  const isElsewhere = by.every(rule => rule.phase !== phase);
  const advice = isElsewhere ? `add conditions to ${by.length === 1 ? 'it' : 'them'}` : 'move it before';
  return `${namesOfRules(by, phase)} ${verb} all of its traffic; ${advice}`;
}
