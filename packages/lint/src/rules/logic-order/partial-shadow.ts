import type { ReachQuestions } from '../../logic/covered-rules.ts';
import { endsEvaluation } from '../../logic/example-exchanges.ts';
import { alternativesIn, expressionsOf, placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { RuleLogic } from '../../logic/rule-logic.ts';
import { namesOfRules, rangeOfRule } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `m in ['PUT', 'POST']` after a rule that handles every `PUT`. */
export const PARTIAL_SHADOW: LintRule = {
  id: 'logic/partial-shadow',
  severity: 'info',
  summary: 'alternative of a condition that earlier rules make unreachable',
  rationale:
    'The rule can match, but one of the values or alternatives in its condition is unreachable because earlier rules handle every such ' +
    'request. Either it is superfluous or the rules are in the wrong order.',
  bad: {
    policy: `\
inbound:
  - name: no uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
  - name: read-only archive
    expressions: ["req.Method in ['POST', «'PUT'»] && req.Host == 'archive.example.com'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
  - name: read-only archive
    expressions: ["req.Method == 'POST' && req.Host == 'archive.example.com'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const logic = policyLogic(policy, context.file);
      const isCovered = new Set(logic.covered.map(finding => finding.covered));
      for (const phase of logic.phases) {
        const end = phase.findIndex(({ effect }) => effect.ends);
        if (end < 0) continue;
        for (const rule of phase.slice(end + 1)) if (!isCovered.has(rule)) checkRule(rule, logic, context);
      }
    },
  },
};

function checkRule(rule: RuleLogic, logic: ReachQuestions, context: LintContext): void {
  const document = context.file.source.text;
  for (const analyzed of expressionsOf(rule)) {
    for (const { node, typed } of alternativesIn(analyzed)) {
      const rules = logic.questions.cannotMatchWhere(rule.rule, typed)?.because ?? [];
      if (rules.length === 0) continue;
      const taken = logic.takenFrom(rule.rule, typed);
      const text = analyzed.typed.ast.source.slice(node.range.start, node.range.end);
      context.report({
        range: placeIn(analyzed, node.range),
        message: `\`${text}\` is unreachable: ${namesOfRules(rules)} ${rules.length === 1 ? 'handles' : 'handle'} every such request; remove it, or move the rule`,
        args: { alternative: text, rules: rules.map(({ index }) => index + 1).join() },
        related: rules.map(other => ({
          range: rangeOfRule(other, document),
          message: endsEvaluation(other, taken.get(other)),
        })),
      });
    }
  }
}
