import { once } from '@tollgate/diagnostics';
import type { ConditionQuestions } from '@tollgate/solver/conditions';
import { haveSameEffect } from '../../logic/covered-rules.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { PhaseLogic, RuleLogic } from '../../logic/rule-logic.ts';
import { nameOfRule, rangeOfRule } from '../../readers/actions.ts';
import { removeRuleFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports a rule whose traffic a later rule handles in the same way. */
export const REDUNDANT_RULE: LintRule = {
  id: 'logic/redundant-rule',
  severity: 'warning',
  summary: 'rule that can be removed without changing a decision',
  rationale:
    'A later rule matches everything that this rule matches and ends with the same actions; the rules between them match none of it. ' +
    'Fewer rules are easier to review, and a change cannot miss one of the two.',
  bad: {
    policy: `\
inbound:
  - name: «no Git metadata»
    expressions: ["req.Path.startsWith('/.git/')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
  - name: no hidden files
    expressions: ["req.Path.startsWith('/.')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no hidden files
    expressions: ["req.Path.startsWith('/.')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      // If an evaluation error fails the request, removing a condition changes decisions.
      if (context.file.profile.switches.evaluationError !== 'skip-rule') return;
      const logic = policyLogic(policy, context.file);
      const isCovered = new Set(logic.covered.map(finding => finding.covered));
      const document = context.file.source.text;
      for (const phase of logic.phases) {
        const last = lastWithEffect(phase, isCovered);
        const conditions = once(() => phase[0]!.questions.inOrder(phase.map(({ condition }) => condition)));
        phase.forEach((rule, position) => {
          const isLast = last.get(rule.effect.text()) === position;
          const later =
            isLast || isCovered.has(rule)
              ? undefined
              : sameLater(phase, position, { isCovered, conditions: conditions() });
          if (later === undefined) return;
          const fix = removeRuleFix(rule.rule, policy, document);
          context.report({
            range: rangeOfRule(rule.rule, document),
            message: `rule is redundant: ${nameOfRule(later.rule)} handles its traffic in the same way; remove it, or correct it`,
            args: { rule: later.rule.index + 1 },
            related: [{ range: rangeOfRule(later.rule, document), message: 'handles the same traffic and more' }],
            fixes: fix ? [fix] : [],
            tags: ['unnecessary'],
          });
        });
      }
    },
  },
};

/** Maps the effect of rules to the position of the last reachable one. */
function lastWithEffect(phase: PhaseLogic, isCovered: ReadonlySet<RuleLogic>): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  phase.forEach((rule, position) => {
    if (!isCovered.has(rule)) last.set(rule.effect.text(), position);
  });
  return last;
}

type ConditionsInOrder = ReturnType<ConditionQuestions['inOrder']>;

/** Returns the later rule that would handle the same traffic with the same effect. */
function sameLater(
  phase: PhaseLogic,
  position: number,
  { isCovered, conditions }: { readonly isCovered: ReadonlySet<RuleLogic>; readonly conditions: ConditionsInOrder },
): RuleLogic | undefined {
  const rule = phase[position]!;
  const { condition, questions } = rule;
  if (!rule.effect.ends || condition === undefined || rule.isImpossible()) return undefined;
  const sample = questions.sampleWhere(condition);
  if (sample === undefined) return undefined;
  // Most rules are followed by one that handles some of their traffic in another way, or none of it.
  const at = conditions.firstHolding(sample, position + 1, phase.length);
  const later = at === undefined ? undefined : phase[at];
  if (later?.condition === undefined || isCovered.has(later) || !haveSameEffect(later, rule)) return undefined;
  if (!questions.implies(condition, later.condition)) return undefined;
  const between = questions.anyOf(phase.slice(position + 1, at).map(one => one.condition!));
  return questions.areDisjoint(condition, between) ? later : undefined;
}
