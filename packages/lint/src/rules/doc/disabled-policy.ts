import { entryOf } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `enabled: false`, or no rule at all. */
export const DISABLED_POLICY: LintRule = {
  id: 'doc/disabled-policy',
  severity: 'info',
  summary: 'a policy that does nothing',
  rationale:
    'A policy that is switched off, or has no rule, lets everything pass. That may be wanted for a while; published by mistake, it takes ' +
    'away all protection without an error anywhere.',
  bad: {
    policy: `\
«enabled»: false
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
enabled: true
inbound:
  - name: no trace
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
      if (!enabled && key)
        context.report({ range: key, message: 'the policy is switched off, so that everything passes' });
      else if (isEmpty && context.file.diagnostics.every(one => one.severity !== 'error')) {
        const first = node.entries[0]?.keyRange ?? { start: range.start, end: range.start };
        context.report({ range: first, message: 'the policy has no rule, so that everything passes' });
      }
    },
  },
};
