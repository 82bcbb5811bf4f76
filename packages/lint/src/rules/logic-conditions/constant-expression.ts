import { placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { dropConditionFixes } from '../../logic/verdicts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `true` and `1 == 1`. */
export const CONSTANT_EXPRESSION: LintRule = {
  id: 'logic/constant-expression',
  severity: 'warning',
  summary: 'condition, or part of one, that does not depend on the request',
  rationale:
    'A condition that reads nothing from the request has the same value for all traffic. Usually it was added for a test and ' +
    'forgotten, and the rule now matches everything or nothing.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions:
      - req.Method == 'TRACE' || «1 == 1»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions:
      - req.Method == 'TRACE'
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const document = context.file.source.text;
      for (const verdict of policyLogic(policy, context.file).verdicts) {
        const { kind, analyzed, range, value } = verdict;
        if (kind !== 'constant') continue;
        context.report({
          range: placeIn(analyzed, range),
          message: `expression ${value}, whatever the request; remove it, or test the request`,
          args: { value: value! },
          // Removing one that is always false would make its rule match, the opposite of what it does now.
          fixes:
            value === 'is always true'
              ? dropConditionFixes(verdict, { policy, document, applicability: 'unsafe' })
              : [],
        });
      }
    },
  },
};
