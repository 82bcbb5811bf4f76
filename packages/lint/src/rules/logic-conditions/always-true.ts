import { placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { dropConditionFixes } from '../../logic/verdicts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `x.startsWith('')`. */
export const ALWAYS_TRUE: LintRule = {
  id: 'logic/always-true',
  severity: 'warning',
  summary: 'condition, or conjunct, that is always true',
  rationale:
    'A rule whose condition always holds applies its actions to everything, although it looks selective. The finding is a proof, not a ' +
    'guess: missing headers and evaluation errors are taken into account.',
  bad: {
    policy: `\
inbound:
  - name: no large uploads
    expressions:
      - req.Method == 'PUT' && («req.ContentLength > 1000 || req.ContentLength <= 10000»)
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no large uploads
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
        const { kind, analyzed, range, isWhole } = verdict;
        if (kind !== 'always') continue;
        const message = isWhole
          ? 'condition is true for all traffic; remove it if that is intended, or correct it'
          : 'conjunct is true for all traffic and has no effect; remove it, or correct it';
        const fixes = dropConditionFixes(verdict, { policy, document, applicability: 'suggestion' });
        context.report({ range: placeIn(analyzed, range), message, fixes });
      }
    },
  },
};
