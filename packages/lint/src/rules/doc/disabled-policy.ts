import { entryOf } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `enabled: false`, and policies without any rule. */
export const DISABLED_POLICY: LintRule = {
  id: 'doc/disabled-policy',
  severity: 'info',
  summary: 'policy that is disabled or has no rules',
  rationale:
    'A policy that is disabled or has no rules lets all traffic pass. That may be intended for a while; published by mistake, it ' +
    'removes all protection without an error anywhere.',
  bad: {
    policy: `\
«enabled»: false
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
enabled: true
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: ({ enabled, node, rules, range }, context) => {
      const key = entryOf(node, 'enabled')?.keyRange;
      const isEmpty = Object.values(rules).every(list => list.length === 0);
      if (!enabled && key) context.report({ range: key, message: 'policy is disabled, so all traffic passes' });
      else if (isEmpty && context.file.diagnostics.every(({ severity }) => severity !== 'error')) {
        const first = node.entries[0]?.keyRange ?? { start: range.start, end: range.start };
        context.report({ range: first, message: 'policy has no rules, so all traffic passes' });
      }
    },
  },
};
