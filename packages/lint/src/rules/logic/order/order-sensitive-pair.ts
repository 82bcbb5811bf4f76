import type { Range } from '@tollgate/diagnostics';
import { exampleInput } from '../../../logic/examples/example-input.ts';
import type { RuleLogic } from '../../../logic/phases/rule-logic.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import { isAnyWithin } from '../../../primitives/sorted-ranges.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, rangeOfRule } from '../../../rule-api/rule-name.ts';
import { areDisjoint, implies } from '../../../solver/search/queries.ts';

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
        const index = logic.indexOf(phase);
        if (new Set(phase.map(({ effect }) => effect.endText())).size < 2) continue;
        const commented = new Set(phase.filter((rule, index) => hasComment(rule, phase[index - 1], comments)));
        phase.forEach((rule, position) => {
          if (isCovered.has(rule) || commented.has(rule)) return;
          const earlier = index.endingBefore(position);
          const overlap = firstOverlap(
            rule,
            earlier.overlapping(),
            other => commented.has(other) || isCovered.has(other),
          );
          if (overlap === undefined) return;
          const [other, example] = overlap;
          context.report({
            range: rangeOfRule(rule.rule, source.text),
            message: `this rule and ${nameOfRule(other.rule)} both match \`${example.join(' && ')}\` with different outcomes; state the precedence in a comment`,
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

function firstOverlap(
  rule: RuleLogic,
  earlier: Iterable<RuleLogic>,
  isLeftOut: (rule: RuleLogic) => boolean,
): readonly [RuleLogic, readonly string[]] | undefined {
  const { condition, expressions, effect, work } = rule;
  if (condition === undefined || expressions === undefined || effect.end === undefined) return undefined;
  for (const other of earlier) {
    if (other.effect.endText() === effect.endText() || isLeftOut(other)) continue;
    const first = other.condition!;
    if (areDisjoint(condition, first, work) || implies(condition, first, work) || implies(first, condition, work))
      continue;
    const example = exampleInput([other, rule], [], rule.where);
    if (example !== undefined && example.length > 0) return [other, example];
  }
  return undefined;
}
