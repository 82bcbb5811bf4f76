import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A comment that looks like a suppression and is none. */
export const MALFORMED_IGNORE: LintRule = {
  id: 'meta/malformed-ignore',
  severity: 'warning',
  summary: 'a comment that looks like a suppression and is none',
  rationale: 'It suppresses nothing: it names no lint rule, its day is none, or the end of a block is missing.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    «# tollgate-ignore»
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
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
