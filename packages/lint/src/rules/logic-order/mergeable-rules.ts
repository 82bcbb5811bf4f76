import type { Fix } from '@tollgate/diagnostics';
import { type Policy, replaceScalar } from '@tollgate/policy';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { RuleLogic } from '../../logic/rule-logic.ts';
import { nameOfRule, rangeOfRule } from '../../readers/actions.ts';
import { removeRuleFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports adjacent rules that end evaluation with the same actions. */
export const MERGEABLE_RULES: LintRule = {
  id: 'logic/mergeable-rules',
  severity: 'off',
  summary: 'adjacent rules with the same actions',
  rationale:
    'Two adjacent rules that end with the same actions are equivalent to one rule with `||`, which is easier to change.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: «no CONNECT»
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE or CONNECT
    expressions: ["req.Method in ['TRACE', 'CONNECT']"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: [],
  check: {
    policy: (policy, context) => {
      const { phases, covered } = policyLogic(policy, context.file);
      const isCovered = new Set(covered.map(finding => finding.covered));
      const document = context.file.source.text;
      for (const phase of phases) {
        phase.slice(1).forEach((rule, at) => {
          const before = phase[at]!;
          if (isCovered.has(rule) || !areMergeable(before, rule)) return;
          const fix = mergeFix(before, rule, { policy, document });
          context.report({
            range: rangeOfRule(rule.rule, document),
            message: `rule has the same actions as ${nameOfRule(before.rule)} before it; merge them with \`||\``,
            related: [{ range: rangeOfRule(before.rule, document), message: 'same actions' }],
            fixes: fix ? [fix] : [],
          });
        });
      }
    },
  },
};

function areMergeable(before: RuleLogic, rule: RuleLogic): boolean {
  if (!before.effect.ends || before.effect.text() !== rule.effect.text()) return false;
  return isJoinable(before) && isJoinable(rule);
}

function isJoinable({ isComplete, rule }: RuleLogic): boolean {
  return isComplete && rule.expressions.length > 0;
}

/** Offers a fix if both have a single expression. The name of the second rule is lost. */
function mergeFix(
  before: RuleLogic,
  rule: RuleLogic,
  { policy, document }: { readonly policy: Policy; readonly document: string },
): Fix | undefined {
  const [first, ...more] = before.rule.expressions;
  const [second, ...others] = rule.rule.expressions;
  const removal = removeRuleFix(rule.rule, policy, document);
  if (!first || !second || more.length + others.length > 0 || !removal) return undefined;
  const source = `(${first.source.trim()}) || (${second.source.trim()})`;
  if (source.includes('//')) return undefined;
  const edits = [...replaceScalar(document, first.text, source), ...removal.edits];
  return { title: 'merge the rules', applicability: 'unsafe', edits };
}
