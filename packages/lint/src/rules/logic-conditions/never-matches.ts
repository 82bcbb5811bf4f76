import { placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { sourceOfParts, type Verdict } from '../../logic/verdicts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `x == 'a' && x == 'b'`. */
export const NEVER_MATCHES: LintRule = {
  id: 'logic/never-matches',
  severity: 'error',
  summary: 'condition, or operand of `||`, that is never true',
  rationale:
    'A rule whose condition is never true has no effect: what it should deny passes. The finding is a proof, not a guess.',
  bad: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - «req.Method == 'PUT' && req.Method == 'POST'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - req.Method in ['PUT', 'POST']
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      for (const verdict of policyLogic(policy, context.file).verdicts) {
        if (verdict.kind !== 'never') continue;
        context.report({ range: placeIn(verdict.analyzed, verdict.range), message: messageOf(verdict) });
      }
    },
  },
};

function messageOf(verdict: Verdict): string {
  const parts = sourceOfParts(verdict);
  const reason = parts === undefined ? 'condition is never true' : `${parts} are never true together`;
  return verdict.isWhole
    ? `${reason}, so the rule never matches; correct the condition`
    : `${reason}, so this alternative has no effect; correct the condition`;
}
