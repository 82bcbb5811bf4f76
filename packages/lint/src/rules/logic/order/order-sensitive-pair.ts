import type { Range } from '@tollgate/diagnostics';
import type { ExampleExchanges } from '../../../logic/examples/example-exchanges.ts';
import { endingBefore } from '../../../logic/phases/covered-rules.ts';
import type { PhaseLogic, RuleLogic } from '../../../logic/phases/rule-logic.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import { isAnyWithin } from '../../../primitives/sorted-ranges.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, rangeOfRule } from '../../../rule-api/rule-name.ts';

/** Reports two overlapping rules that end evaluation differently. */
export const ORDER_SENSITIVE_PAIR: LintRule = {
  id: 'logic/order-sensitive-pair',
  severity: 'info',
  summary: 'overlapping rules whose order decides the outcome',
  rationale:
    'Some traffic matches both rules, each rule also matches traffic that the other does not, and their outcomes differ, so moving one ' +
    'of them changes decisions. A comment that states which rule takes precedence documents the order.',
  bad: {
    policy: `\
inbound:
  - name: no uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
  - name: «no admin»
    expressions: ["req.Path.startsWith('/admin/')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  good: {
    policy: `\
inbound:
  # Before the admin rule, so that uploads get the same response everywhere.
  - name: no uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
  - name: no admin
    expressions: ["req.Path.startsWith('/admin/')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  check: {
    policy: (policy, context) => {
      const logic = policyLogic(policy, context.file);
      const isCovered = new Set(logic.covered.map(finding => finding.covered));
      const { comments, source } = context.file;
      for (const phase of logic.phases) {
        if (new Set(phase.map(({ effect }) => effect.endText())).size < 2) continue;
        const commented = new Set(phase.filter((rule, index) => hasComment(rule, phase[index - 1], comments)));
        phase.forEach((rule, position) => {
          if (isCovered.has(rule) || commented.has(rule)) return;
          const isLeftOut = (other: RuleLogic) =>
            commented.has(other) || isCovered.has(other) || other.effect.endText() === rule.effect.endText();
          const earlier = endingBefore(phase, position).filter(other => !isLeftOut(other));
          const overlap = firstOverlap(rule, earlier, { phase, examples: logic.examples });
          if (overlap === undefined) return;
          const [other, example] = overlap;
          context.report({
            range: rangeOfRule(rule.rule, source.text),
            message: `this rule and ${nameOfRule(other.rule)} both match ${example}, with different outcomes; state the precedence in a comment`,
            args: { rule: other.rule.index + 1 },
            related: [{ range: rangeOfRule(other.rule, source.text), message: 'takes precedence' }],
          });
        });
      }
    },
  },
};

/** True if there is a comment in the rule, or between it and the previous one. */
function hasComment({ rule }: RuleLogic, before: RuleLogic | undefined, comments: readonly Range[]): boolean {
  const start = before?.rule.range.end ?? rule.range.start - COMMENT_ABOVE;
  return isAnyWithin(comments, { start, end: rule.range.end });
}

/** UTF-16 code units before the first rule of a phase in which a comment counts as its own. */
const COMMENT_ABOVE = 400;

interface OverlapContext {
  readonly phase: PhaseLogic;
  readonly examples: ExampleExchanges;
}

/** Returns the first of the earlier rules that shares only a part of its traffic with a rule, and an exchange that both match. */
function firstOverlap(
  rule: RuleLogic,
  earlier: readonly RuleLogic[],
  { phase, examples }: OverlapContext,
): readonly [RuleLogic, string] | undefined {
  const { condition, effect, questions } = rule;
  if (condition === undefined || effect.end === undefined) return undefined;
  const others = earlier.map(one => one.condition!);
  for (let from = 0; ; from++) {
    const at = questions.firstOverlap(condition, others, from);
    if (at === undefined) return undefined;
    const other = earlier[at]!;
    if (!questions.implies(condition, others[at]!) && !questions.implies(others[at]!, condition)) {
      const example = examples.find(phase, [other, rule], []);
      if (example !== undefined) return [other, example];
    }
    from = at;
  }
}
