import { editScalar } from '@tollgate/policy';
import { replacementOf } from '../../analyses/url-walk.ts';
import { placeIn } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `to: /admin?$is_args$args`. */
export const DOUBLE_QUESTION_MARK: LintRule = {
  id: 'url/double-question-mark',
  severity: 'error',
  summary: 'second question mark before the query',
  rationale:
    '`$is_args` is itself the question mark if there is a query. After a literal question mark the URL contains two, and the second ' +
    "becomes part of the first parameter's name.",
  bad: {
    policy: `\
inbound:
  - name: move the admin pages
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/v0/admin.*$", to: "$1/v1/admin«?$is_args»$args" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move the admin pages
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
          message: '`$is_args` already is the question mark, so the query starts with `??`; remove the literal one',
          fixes: [{ title: 'remove the question mark', applicability: 'unsafe', edits }],
        });
      }
    },
  },
};
