import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports comments that look like suppressions but are not valid. */
export const MALFORMED_IGNORE: LintRule = {
  id: 'meta/malformed-ignore',
  severity: 'warning',
  summary: 'malformed suppression comment',
  rationale:
    'The comment suppresses nothing, because it names no lint rule, its date is invalid, or the end of its block is missing.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    «# tollgate-ignore»
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    # Ignored by the office network.
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'strict'],
  check: {
    suppressions: ({ malformed }, context) => {
      for (const { range, message } of malformed) context.report({ range, message });
    },
  },
};
