import { placeIn, type Replacement } from '../../../actions/replacements.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import { simpleGroupCount } from '../../../regex/group-count.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `$3` of a pattern with two groups. */
export const CAPTURE_OUT_OF_RANGE: LintRule = {
  id: 'url/capture-out-of-range',
  severity: 'error',
  summary: 'a group that the pattern does not have',
  rationale:
    'A number behind `$` stands for what a group of the pattern has matched. One beyond the last group stands for nothing: the URL ' +
    'gets a hole, without an error. All digits belong to the number, so that `$12` is group 12 and not group 1 with a 2 behind it.',
  bad: {
    policy: `\
inbound:
  - name: users have moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/users/([0-9]+)", to: "$1/members/«$3»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: users have moved
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
        const had =
          groups === 0 ? 'no groups' : groups === 1 ? 'one group, `$1`' : `${groups} groups, up to \`$${groups}\``;
        context.report({
          range: placeIn(replacement.to, range),
          message: `\`$${name}\` stands for nothing: the pattern has ${had}; name one of these, or put brackets around what is meant`,
          args: { found: name, groups },
          related: [{ range: replacement.from!.place, message: 'the pattern' }],
        });
      }
    },
  },
};

function groupCount(replacement: Replacement): number | undefined {
  const { from } = replacement;
  return (from && simpleGroupCount(from.value)) ?? replacement.tree?.groups.length;
}
