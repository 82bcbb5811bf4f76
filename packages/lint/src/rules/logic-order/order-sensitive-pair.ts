import type { Range } from '@tollgate/diagnostics';
import type { ExampleExchanges } from '../../logic/example-exchanges.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { PhaseLogic, RuleLogic } from '../../logic/rule-logic.ts';
import { nameOfRule, rangeOfRule } from '../../readers/actions.ts';
import type { Work } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { isAnyWithin } from '../../sorted-ranges.ts';

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
        const isLeftOut = phase.map(
          (rule, at) => !rule.effect.ends || isCovered.has(rule) || hasComment(rule, phase[at - 1], comments),
        );
        for (const [rule, other, example] of overlapsIn(phase, isLeftOut, logic.examples, context.file.work)) {
          context.report({
            range: rangeOfRule(rule.rule, source.text),
            message: `this rule and ${nameOfRule(other.rule)} both match ${example}, with different outcomes; state the precedence in a comment`,
            args: { rule: other.rule.index + 1 },
            related: [{ range: rangeOfRule(other.rule, source.text), message: 'takes precedence' }],
          });
        }
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

/** Yields rules with the first earlier one that shares only a part of their traffic and ends it in another way, and what both match. */
function* overlapsIn(
  phase: PhaseLogic,
  isLeftOut: readonly boolean[],
  examples: ExampleExchanges,
  work: Work,
): Iterable<readonly [RuleLogic, RuleLogic, string]> {
  const overlaps = phase[0]!.questions.overlaps(phase.map(({ condition }) => condition));
  for (const [position, rule] of phase.entries()) {
    if (isLeftOut[position] || rule.condition === undefined) continue;
    const end = rule.effect.endText();
    // No question is answered any more, and to look at all pairs would take time.
    if (work.isSpent) return work.leaveOpen();
    for (const at of overlaps.before(position)) {
      const other = phase[at]!;
      if (isLeftOut[at] || other.validUntil < position || other.effect.endText() === end) continue;
      if (other.condition === undefined || !rule.questions.overlapInPart(rule.condition, other.condition)) continue;
      const example = examples.find(phase, [other, rule], []);
      if (example === undefined) continue;
      yield [rule, other, example];
      break;
    }
  }
}
