import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A suppression whose day has passed. */
export const IGNORE_EXPIRED: LintRule = {
  id: 'meta/ignore-expired',
  severity: 'warning',
  summary: 'a suppression whose day has passed',
  rationale:
    'It was meant to hold for some time. It suppresses nothing any more: mend what it was for, or give it another day.',
  bad: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      # tollgate-ignore type/in-on-header-list -- until the next release «until:2020-01-01»
      - "'User-Agent' in req.Headers && 'GPTBot' in req.Headers['User-Agent']"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no training bots
    expressions:
      # tollgate-ignore type/in-on-header-list -- until the next release until:9999-12-31
      - "'User-Agent' in req.Headers && 'GPTBot' in req.Headers['User-Agent']"
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'strict'],
  check: {
    suppressions: ({ suppressions }, context) => {
      for (const { until, isExpired } of suppressions) {
        if (!until || !isExpired) continue;
        const message = `the suppression held until ${until.date}; mend what it was for, or give it another day`;
        context.report({ range: until.range, message, args: { until: until.date } });
      }
    },
  },
};
