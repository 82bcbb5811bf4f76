import type { LintRule } from '../../rule-api/lint-rule.ts';

const MARK = /\b(?:TODO|FIXME|XXX)\b/g;

/** `# TODO`. */
export const TODO_COMMENT: LintRule = {
  id: 'style/todo-comment',
  severity: 'off',
  summary: 'a comment that says the work is not done',
  rationale: 'Who publishes a policy wants to know that somebody meant to come back to it first.',
  bad: {
    policy: `\
inbound:
  # «TODO»: staff only
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  # Staff use the other endpoint.
  - name: no trace
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
          context.report({ range, message: `\`${mark}\` stands in a comment; finish the work or track it elsewhere` });
        }
      }
    },
  },
};
