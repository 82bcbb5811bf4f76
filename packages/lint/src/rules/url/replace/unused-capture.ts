import { editScalar } from '@tollgate/policy';
import { namedGroups, placeIn } from '../../../actions/replacements.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `/old(/.*)?` of which nothing is put in. */
export const UNUSED_CAPTURE: LintRule = {
  id: 'url/unused-capture',
  severity: 'info',
  summary: 'a group of which nothing is put in',
  rationale:
    'Brackets remember what they match, for `$1`. Where nothing asks for it, `(?:…)` says so; or something was forgotten in the ' +
    'replacement.',
  bad: {
    policy: `\
inbound:
  - name: both hosts are one
    actions: [{ type: redirect, config: { from: "^https://(«(www|old)»)[.]example[.]com/", to: "https://$1.example.org/" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: both hosts are one
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
        // Behind it, all groups would get other numbers.
        const isLast = ![...named].some(other => other > index) && group.name === null;
        const open = { start: group.start, end: group.start + 1 };
        const edits =
          isLast && from!.node.text
            ? editScalar(context.file.source.text, from!.node.text, [{ range: open, newText: '(?:' }])
            : [];
        context.report({
          range: placeIn(from!, group),
          message: `the replacement names no \`$${index + 1}\`; write \`(?:\` where nothing is to be remembered`,
          args: { group: index + 1 },
          fixes: edits.length > 0 ? [{ title: 'remember nothing', applicability: 'safe', edits }] : [],
        });
      }
    },
  },
};
