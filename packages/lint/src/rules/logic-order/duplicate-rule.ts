import { policyLogic } from '../../logic/policy-logic.ts';
import type { PhaseLogic, RuleLogic } from '../../logic/rule-logic.ts';
import { nameOfRule, rangeOfRule } from '../../readers/actions.ts';
import { removeRuleFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports rules with the same conditions and actions. */
export const DUPLICATE_RULE: LintRule = {
  id: 'logic/duplicate-rule',
  severity: 'warning',
  summary: 'rule with the conditions and actions of an earlier one',
  rationale:
    'The second of two identical rules never runs if they end evaluation, and repeats everything if they do not. Usually it was copied ' +
    'to be changed, and the change was forgotten.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: «no CONNECT»
    expressions: ["req.Method == 'TRACE'"]
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
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const document = context.file.source.text;
      for (const phase of policyLogic(policy, context.file).phases) {
        const originals = originalsIn(phase);
        phase.forEach((later, index) => {
          const earlier = originals[index];
          if (earlier === undefined) return;
          const fix = removeRuleFix(later.rule, policy, document);
          const consequence = later.effect.ends ? 'never runs' : 'repeats them';
          context.report({
            range: rangeOfRule(later.rule, document),
            message: `rule has the conditions and actions of ${nameOfRule(earlier.rule)} and ${consequence}; remove it, or correct it`,
            args: { rule: earlier.rule.index + 1 },
            related: [{ range: rangeOfRule(earlier.rule, document), message: 'identical rule' }],
            fixes: fix ? [fix] : [],
            tags: ['unnecessary'],
          });
        });
      }
    },
  },
};

/** Lists for each rule the first earlier one with the same conditions and actions, if they still mean the same. */
function originalsIn(phase: PhaseLogic): readonly (RuleLogic | undefined)[] {
  const byEffect = Map.groupBy(phase, rule => rule.effect.text());
  const originals = new Map<string, RuleLogic>();
  return phase.map((rule, index) => {
    const effect = rule.effect.text();
    const text = byEffect.get(effect)!.length > 1 ? rule.text() : undefined;
    if (text === undefined || !rule.isComplete) return undefined;
    const key = `${effect}\n${text}`;
    // Rules that read the same inputs stay valid up to the same change.
    const before = originals.get(key);
    const isValid = before !== undefined && before.validUntil >= index;
    if (!isValid) originals.set(key, rule);
    return isValid ? before : undefined;
  });
}
