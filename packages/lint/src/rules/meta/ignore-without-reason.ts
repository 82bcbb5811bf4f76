import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A suppression that does not say why. */
export const IGNORE_WITHOUT_REASON: LintRule = {
  id: 'meta/ignore-without-reason',
  severity: 'off',
  summary: 'a suppression that does not say why',
  rationale: 'Whoever reads the policy later cannot tell whether it still holds. `-- reason` behind the ids says why.',
  bad: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      «# tollgate-ignore type/in-on-header-list»
      - "'User-Agent' in req.Headers && 'GPTBot' in req.Headers['User-Agent']"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      # tollgate-ignore type/in-on-header-list -- one bot sends just its name
      - "'User-Agent' in req.Headers && 'GPTBot' in req.Headers['User-Agent']"
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    suppressions: ({ suppressions }, context) => {
      for (const { range, reason } of suppressions) {
        if (reason !== undefined) continue;
        context.report({ range, message: 'the suppression does not say why; add `-- ` and the reason' });
      }
    },
  },
};
