import { removeRuleFix } from '../../../fixes/remove-rule.ts';
import type { PhaseLogic, RuleLogic } from '../../../logic/phases/rule-logic.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { nameOfRule, placeOfRule } from '../../../rule-api/rule-name.ts';

/** The same conditions and actions twice. */
export const DUPLICATE_RULE: LintRule = {
  id: 'logic/duplicate-rule',
  severity: 'warning',
  summary: 'a rule with the conditions and actions of an earlier one',
  rationale:
    'The second of two equal rules never runs if they end the evaluation, and does everything twice if they do not. Mostly one of them was ' +
    'copied, and the change that it was copied for forgotten.',
  bad: {
    policy: `\
inbound:
  - name: no tracing
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: «no tunnels»
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no tracing and no tunnels
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
          const consequence = later.effect.ends ? 'never runs' : 'does everything a second time';
          context.report({
            range: placeOfRule(later.rule, document),
            message: `this rule has the conditions and actions of ${nameOfRule(earlier.rule)}, and ${consequence}; remove it, or change what it was copied for`,
            args: { rule: earlier.rule.index + 1 },
            related: [{ range: placeOfRule(earlier.rule, document), message: 'the same' }],
            fixes: fix ? [fix] : [],
            tags: ['unnecessary'],
          });
        });
      }
    },
  },
};

/** For each rule the first before it that has the same conditions and actions, where they still mean the same. */
function originalsIn(phase: PhaseLogic): readonly (RuleLogic | undefined)[] {
  const byEffect = Map.groupBy(phase, rule => rule.effect.text());
  const known = new Map<string, RuleLogic>();
  return phase.map((rule, index) => {
    const effect = rule.effect.text();
    const text = byEffect.get(effect)!.length > 1 ? rule.text() : undefined;
    if (text === undefined || rule.approximation === undefined) return undefined;
    const key = `${effect}\n${text}`;
    // Rules that read the same are valid up to the same change.
    const before = known.get(key);
    const isValid = before !== undefined && before.validUntil >= index;
    if (!isValid) known.set(key, rule);
    return isValid ? before : undefined;
  });
}
