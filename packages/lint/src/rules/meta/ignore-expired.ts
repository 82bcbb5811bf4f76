import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports suppressions whose `until` date has passed. */
export const IGNORE_EXPIRED: LintRule = {
  id: 'meta/ignore-expired',
  severity: 'warning',
  summary: 'expired suppression',
  rationale:
    'The suppression was limited in time and no longer has any effect. Fix the finding that it suppressed, or set a later date.',
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
        const message = `suppression expired on ${until.date}; fix the finding, or set a later date`;
        context.report({ range: until.range, message, args: { until: until.date } });
      }
    },
  },
};
