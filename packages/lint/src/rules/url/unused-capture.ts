import { editScalar } from '@tollgate/policy';
import { replacementOf } from '../../analyses/url-walk.ts';
import { namedGroups, placeIn } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `/old(/.*)?` if the replacement does not insert the group. */
export const UNUSED_CAPTURE: LintRule = {
  id: 'url/unused-capture',
  severity: 'info',
  summary: 'capture group that the replacement does not use',
  rationale:
    'Parentheses capture what they match for use as `$1`. If the replacement does not use the group, write `(?:…)`; or a reference to ' +
    'it is missing.',
  bad: {
    policy: `\
inbound:
  - name: merge old hosts
    actions: [{ type: redirect, config: { from: "^https://(«(www|old)»)[.]example[.]com/", to: "https://$1.example.org/" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: merge old hosts
    actions: [{ type: redirect, config: { from: "^https://(www|old)[.]example[.]com/", to: "https://$1.example.org/" } }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      const named = replacement && namedGroups(replacement);
      if (!named) return;
      const { tree, from } = replacement;
      for (const [index, group] of tree!.groups.entries()) {
        if (named.has(index)) continue;
        // Changing a group renumbers all groups after it.
        const isLast = ![...named].some(other => other > index) && group.name === null;
        const open = { start: group.start, end: group.start + 1 };
        const edits =
          isLast && from!.node.text
            ? editScalar(context.file.source.text, from!.node.text, [{ range: open, newText: '(?:' }])
            : [];
        context.report({
          range: placeIn(from!, group),
          message: `replacement does not use \`$${index + 1}\`; write \`(?:\` to group without capturing`,
          args: { group: index + 1 },
          fixes: edits.length > 0 ? [{ title: 'change to a non-capturing group', applicability: 'safe', edits }] : [],
        });
      }
    },
  },
};
