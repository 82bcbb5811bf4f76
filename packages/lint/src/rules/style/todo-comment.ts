import type { LintRule } from '../../rule-api/lint-rule.ts';

const MARK = /\b(?:TODO|FIXME|XXX)\b/g;

/** Reports `# TODO`. */
export const TODO_COMMENT: LintRule = {
  id: 'style/todo-comment',
  severity: 'off',
  summary: 'TODO comment',
  rationale: 'A TODO comment means that the policy is unfinished. Resolve it before publishing, or track it elsewhere.',
  bad: {
    policy: `\
inbound:
  # «TODO»: staff only
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  # Staff use the other endpoint.
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    file: ({ comments, source }, context) => {
      for (const { start, end } of comments) {
        for (const { 0: mark, index } of source.text.slice(start, end).matchAll(MARK)) {
          const range = { start: start + index, end: start + index + mark.length };
          context.report({ range, message: `comment contains \`${mark}\`; finish the work, or track it elsewhere` });
        }
      }
    },
  },
};
