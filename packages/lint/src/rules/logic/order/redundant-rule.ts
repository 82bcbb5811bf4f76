import { removeRuleFix } from '../../../fixes/remove-rule.ts';
import { haveSameEffect } from '../../../logic/phases/coverage.ts';
import type { PhaseIndex } from '../../../logic/phases/phase-index.ts';
import type { PhaseLogic, RuleLogic } from '../../../logic/phases/rule-logic.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, placeOfRule } from '../../../rule-api/rule-name.ts';
import { areDisjoint, implies } from '../../../solver/search/queries.ts';

/** A rule before one that does the same for all that it matches. */
export const REDUNDANT_RULE: LintRule = {
  id: 'logic/redundant-rule',
  severity: 'warning',
  summary: 'a rule that could be removed without changing a decision',
  rationale:
    'A later rule matches all that this one does, and ends it in the same way; what stands between them matches none of it. Fewer rules are ' +
    'easier to review, and a later change of one of the two is not forgotten in the other.',
  bad: {
    policy: `\
inbound:
  - name: «no secrets»
    expressions: ["req.Path.startsWith('/.git/')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
  - name: nothing hidden
    expressions: ["req.Path.startsWith('/.')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: nothing hidden
    expressions: ["req.Path.startsWith('/.')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      // Where a condition that fails ends the request, removing one changes decisions.
      if (context.file.profile.switches.evaluationError !== 'skip-rule') return;
      const logic = policyLogic(policy, context.file);
      const isCovered = new Set(logic.covered.map(one => one.covered));
      const document = context.file.source.text;
      for (const phase of logic.phases) {
        const last = lastWithEffect(phase, isCovered);
        phase.forEach((rule, position) => {
          const isLast = last.get(rule.effect.text()) === position;
          const later =
            isLast || isCovered.has(rule) ? undefined : sameLater(logic.indexOf(phase), position, isCovered);
          if (later === undefined) return;
          const fix = removeRuleFix(rule.rule, policy, document);
          context.report({
            range: placeOfRule(rule.rule, document),
            message: `${nameOfRule(later.rule)} does the same for all that this rule matches; remove this one, or make it differ`,
            args: { rule: later.rule.index + 1 },
            related: [{ range: placeOfRule(later.rule, document), message: 'does the same, and more' }],
            fixes: fix ? [fix] : [],
            tags: ['unnecessary'],
          });
        });
      }
    },
  },
};

/** By what rules do, the position of the last one that is reached. */
function lastWithEffect(phase: PhaseLogic, isCovered: ReadonlySet<RuleLogic>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  phase.forEach((rule, position) => {
    if (!isCovered.has(rule)) found.set(rule.effect.text(), position);
  });
  return found;
}

/** The rule that takes over what this one matches, and ends it in the same way. */
function sameLater(index: PhaseIndex, position: number, isCovered: ReadonlySet<RuleLogic>): RuleLogic | undefined {
  const { phase } = index;
  const rule = phase[position]!;
  if (!rule.effect.ends || rule.approximation === undefined || rule.isImpossible()) return undefined;
  for (const later of index.overlapping(position, position + 1, phase.length)) {
    if (later.approximation === undefined) return undefined;
    const isSame = haveSameEffect(later, rule) && !isCovered.has(later);
    if (isSame && implies(rule.condition!, later.condition!, rule.work)) return later;
    if (!areDisjoint(rule.condition!, later.condition!, rule.work)) return undefined;
  }
  return undefined;
}
