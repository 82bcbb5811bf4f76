import { replacementOf } from '../../analyses/url-walk.ts';
import { simpleGroupCount } from '../../readers/pattern-tree.ts';
import { placeIn, type Replacement } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `$3` for a pattern with two groups. */
export const CAPTURE_OUT_OF_RANGE: LintRule = {
  id: 'url/capture-out-of-range',
  severity: 'error',
  summary: 'reference to a capture group that the pattern does not have',
  rationale:
    '`$` with a number inserts what that capture group matched. A number beyond the last group inserts nothing, and the URL is wrong ' +
    'without an error. All digits belong to the number: `$12` is group 12, not group 1 followed by a 2.',
  bad: {
    policy: `\
inbound:
  - name: move users to members
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/users/([0-9]+)", to: "$1/members/«$3»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move users to members
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/users/([0-9]+)", to: "$1/members/$2" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      const numbered = replacement?.references.filter(({ name }) => /^\d+$/.test(name)) ?? [];
      const groups = replacement && numbered.length > 0 ? groupCount(replacement) : undefined;
      if (!replacement || groups === undefined) return;
      for (const { name, range } of numbered) {
        if (Number(name) <= groups) continue;
        const available =
          groups === 0 ? 'no groups' : groups === 1 ? 'one group, `$1`' : `${groups} groups, up to \`$${groups}\``;
        context.report({
          range: placeIn(replacement.to, range),
          message: `\`$${name}\` inserts nothing: the pattern has ${available}; use one of these, or add a group`,
          args: { found: name, groups },
          related: [{ range: replacement.from!.place, message: 'pattern' }],
        });
      }
    },
  },
};

function groupCount(replacement: Replacement): number | undefined {
  const { from } = replacement;
  return (from && simpleGroupCount(from.value)) ?? replacement.tree?.groups.length;
}
