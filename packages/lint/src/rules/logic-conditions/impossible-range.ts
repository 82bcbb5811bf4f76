import { placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { sourceOfParts } from '../../logic/verdicts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `x > 500 && x < 400`. */
export const IMPOSSIBLE_RANGE: LintRule = {
  id: 'logic/impossible-range',
  severity: 'error',
  summary: 'lower bound above the upper bound',
  rationale:
    'No value satisfies both bounds, so the rule never matches. Usually `||` was meant, for values outside a range, or the operators ' +
    'were swapped.',
  bad: {
    policy: `\
outbound:
  - name: log failures
    expressions:
      - «res.StatusCode < '200' && res.StatusCode >= '300'»
    actions: [{ type: log, config: { metadata: { kind: failed } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: log failures
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
        const message = `${parts} cannot both be true; did you mean \`||\`?`;
        context.report({ range: placeIn(verdict.analyzed, verdict.range), message });
      }
    },
  },
};
