import { editScalar } from '@tollgate/policy';
import { placeIn } from '../../../actions/replacements.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `to: /admin?$is_args$args`. */
export const DOUBLE_QUESTION_MARK: LintRule = {
  id: 'url/double-question-mark',
  severity: 'error',
  summary: 'two question marks where a query begins',
  rationale:
    '`$is_args` is the question mark itself, when there is a query. Behind a written one, the URL has two, and the name of the first ' +
    'parameter begins with the second.',
  bad: {
    policy: `\
inbound:
  - name: the office has moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/v0/admin.*$", to: "$1/v1/admin«?$is_args»$args" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the office has moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/v0/admin.*$", to: "$1/v1/admin$is_args$args" } }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      for (const { name, range, kind } of replacement?.references ?? []) {
        const { to } = replacement!;
        if (kind !== 'variable' || name !== 'is_args' || to.value[range.start - 1] !== '?') continue;
        const mark = { start: range.start - 1, end: range.start };
        const edits = to.node.text
          ? editScalar(context.file.source.text, to.node.text, [{ range: mark, newText: '' }])
          : [];
        context.report({
          range: placeIn(to, { start: mark.start, end: range.end }),
          message:
            '`$is_args` is the question mark already, so that the query begins with `??`; leave the written one out',
          fixes: [{ title: 'leave the question mark out', applicability: 'unsafe', edits }],
        });
      }
    },
  },
};
