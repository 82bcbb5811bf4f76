import { placeIn } from '../../../logic/conditions/analyzed-expression.ts';
import { sourceOfParts } from '../../../logic/conditions/source-of-parts.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `x > 500 && x < 400`. */
export const IMPOSSIBLE_RANGE: LintRule = {
  id: 'logic/impossible-range',
  severity: 'error',
  summary: 'bounds that leave no value between them',
  rationale:
    'Nothing is below the lower and above the upper bound at once, so the rule never matches. Mostly `||` was meant (outside of a range), or ' +
    'the operators were swapped.',
  bad: {
    policy: `\
outbound:
  - name: log what went wrong
    expressions:
      - «res.StatusCode < '200' && res.StatusCode >= '300'»
    actions: [{ type: log, config: { metadata: { kind: failed } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: log what went wrong
    expressions:
      - res.StatusCode < 200 || res.StatusCode >= 300
    actions: [{ type: log, config: { metadata: { kind: failed } } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      for (const verdict of policyLogic(policy, context.file).verdicts) {
        if (verdict.kind !== 'impossible-range') continue;
        const parts = sourceOfParts(verdict) ?? 'these bounds';
        const message = `no value lies between ${parts}; join them by \`||\` for what is outside, or swap the bounds`;
        context.report({ range: placeIn(verdict.known, verdict.range), message });
      }
    },
  },
};
