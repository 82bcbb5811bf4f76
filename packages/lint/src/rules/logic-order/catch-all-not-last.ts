import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type Policy, type Rule } from '@tollgate/policy';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { RuleLogic } from '../../logic/rule-logic.ts';
import { nameOfRule, rangeOfRule, ruleNode } from '../../readers/actions.ts';
import { moveItem } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `deny` without a condition, followed by other rules. */
export const CATCH_ALL_NOT_LAST: LintRule = {
  id: 'logic/catch-all-not-last',
  severity: 'warning',
  summary: 'catch-all rule before the last rule',
  rationale:
    'A rule that matches all traffic and ends evaluation makes the rules after it unreachable. It belongs at the end of its phase.',
  bad: {
    policy: `\
inbound:
  - name: «closed»
    actions: [{ type: deny, config: { status_code: 404 } }]
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: closed
    actions: [{ type: deny, config: { status_code: 404 } }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const document = context.file.source.text;
      const { phases } = policyLogic(policy, context.file);
      for (const phase of phases) {
        const first = phase.findIndex(endsEverything);
        const following = first < 0 ? [] : phase.slice(first + 1);
        if (following.length === 0) continue;
        const count = following.length === 1 ? 'the next rule' : `the next ${following.length} rules`;
        context.report({
          range: rangeOfRule(phase[first]!.rule, document),
          message: `rule handles all traffic, so ${count} never ${following.length === 1 ? 'runs' : 'run'}; move it to the end, or add a condition`,
          args: { behind: following.length },
          // Behind another rule that handles everything, it would only change places with it.
          fixes: following.some(endsEverything) ? [] : movingToEnd(phase[first]!.rule, policy, document),
          related: following.map(({ rule }) => ({
            range: rangeOfRule(rule, document),
            message: `${nameOfRule(rule)} never runs`,
          })),
        });
      }
    },
  },
};

function endsEverything(rule: RuleLogic): boolean {
  return rule.effect.ends && rule.condition !== undefined && rule.questions.isTautology(rule.condition);
}

function movingToEnd(rule: Rule, policy: Policy, document: string): readonly Fix[] {
  const list = entryOf(policy.node, rule.phase)?.value;
  const item = ruleNode(rule, policy);
  const to = list?.kind === 'list' ? list.items.at(-1) : undefined;
  if (list?.kind !== 'list' || !item || !to) return [];
  const edits = moveItem(document, list, { item, to, where: 'behind' });
  return edits ? [{ title: 'move the rule to the end', applicability: 'unsafe', edits }] : [];
}
