import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports suppressions without a reason. */
export const IGNORE_WITHOUT_REASON: LintRule = {
  id: 'meta/ignore-without-reason',
  severity: 'off',
  summary: 'suppression without a reason',
  rationale:
    'Without a reason, nobody can tell later whether the suppression is still needed. Add the reason after `--`.',
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
        context.report({ range, message: 'suppression has no reason; add one after `-- `' });
      }
    },
  },
};
