import { placeIn } from '../../../logic/conditions/analyzed-expression.ts';
import { dropConditionFixes } from '../../../logic/conditions/drop-condition.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `true`, `1 == 1`. */
export const CONSTANT_EXPRESSION: LintRule = {
  id: 'logic/constant-expression',
  severity: 'warning',
  summary: 'a condition, or a part of one, that looks at no traffic',
  rationale:
    'A condition that reads nothing of the traffic has the same value for all of it. Mostly it was put there to try something out, and ' +
    'forgotten: the rule then matches everything, or nothing.',
  bad: {
    policy: `\
inbound:
  - name: no tracing
    expressions:
      - req.Method == 'TRACE' || «1 == 1»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no tracing
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
        const { kind, known, range, value } = verdict;
        if (kind !== 'constant') continue;
        context.report({
          range: placeIn(known, range),
          message: `this ${value}, whatever the traffic; remove it, or ask something of the traffic`,
          args: { value: value! },
          // One that never holds keeps its rule from matching, and nobody means the opposite.
          fixes:
            value === 'is always true'
              ? dropConditionFixes(verdict, { policy, document, applicability: 'unsafe' })
              : [],
        });
      }
    },
  },
};
