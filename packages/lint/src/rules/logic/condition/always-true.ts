import { placeIn } from '../../../logic/conditions/analyzed-expression.ts';
import { dropConditionFixes } from '../../../logic/conditions/drop-condition.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `x.startsWith('')`. */
export const ALWAYS_TRUE: LintRule = {
  id: 'logic/always-true',
  severity: 'warning',
  summary: 'a condition, or an operand of `&&`, that holds for all traffic',
  rationale:
    'A rule whose condition always holds runs its actions on everything, though its text promises a choice. That is proved, not guessed: absent ' +
    'headers and evaluation errors are taken into account.',
  bad: {
    policy: `\
inbound:
  - name: large uploads
    expressions:
      - req.Method == 'PUT' && («req.ContentLength > 1000 || req.ContentLength <= 10000»)
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: large uploads
    expressions:
      - req.Method == 'PUT' && req.ContentLength > 10000
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const document = context.file.source.text;
      for (const verdict of policyLogic(policy, context.file).verdicts) {
        const { kind, known, range, isWhole } = verdict;
        if (kind !== 'always') continue;
        const message = isWhole
          ? 'this holds for all traffic; remove it if that is meant, and ask for what tells traffic apart if not'
          : 'this part holds for all traffic and adds nothing; remove it, or ask what was meant';
        const fixes = dropConditionFixes(verdict, { policy, document, applicability: 'suggestion' });
        context.report({ range: placeIn(known, range), message, fixes });
      }
    },
  },
};
