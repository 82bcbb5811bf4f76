import { placeIn } from '../../../logic/conditions/analyzed-expression.ts';
import { sourceOfParts } from '../../../logic/conditions/source-of-parts.ts';
import type { Verdict } from '../../../logic/conditions/verdicts.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `x == 'a' && x == 'b'`. */
export const NEVER_MATCHES: LintRule = {
  id: 'logic/never-matches',
  severity: 'error',
  summary: 'a condition, or an operand of `||`, that holds for no traffic',
  rationale:
    'A rule whose condition can never hold is there and does nothing: what it should deny is let through. That is proved, not guessed.',
  bad: {
    policy: `\
inbound:
  - name: no writing
    expressions:
      - «req.Method == 'PUT' && req.Method == 'POST'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no writing
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
        context.report({ range: placeIn(verdict.known, verdict.range), message: messageOf(verdict) });
      }
    },
  },
};

function messageOf(verdict: Verdict): string {
  const parts = sourceOfParts(verdict);
  const reason = parts === undefined ? 'this can never hold' : `${parts} can never hold together`;
  return verdict.isWhole
    ? `${reason}, so the rule never matches; ask for what can be`
    : `${reason}, so this alternative adds nothing; ask for what can be`;
}
