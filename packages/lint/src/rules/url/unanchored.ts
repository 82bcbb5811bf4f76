import { placeIn } from '../../facts/replacements.ts';
import { visitNodes } from '../../regex/pattern-tree.ts';
import type { LintRule } from '../../rule/lint-rule.ts';

/** `from: v0/admin`. */
export const UNANCHORED: LintRule = {
  id: 'url/unanchored',
  severity: 'warning',
  summary: 'a replacement that may happen anywhere in the URL, and more than once',
  rationale:
    'A pattern is looked for in the whole URL, from scheme to query, and *every* match is replaced. Without `^` or `$` one for a path ' +
    'matches in the middle of another, and in the parameters: `?next=/v0/` is rewritten too.',
  bad: {
    policy: `\
inbound:
  - name: version 0 is version 1 now
    actions: [{ type: url-rewrite, config: { from: «/v0/», to: /v1/ } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: version 0 is version 1 now
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/v0/", to: "$1/v1/" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const replacement = context.file.actionFacts.replacement(action);
      if (!replacement?.from || !replacement.tree) return;
      const { from, tree } = replacement;
      let isAnchored = /^\^?\.[*+]\$?$/.test(from.value) || from.value.includes('://');
      visitNodes(tree.root, node => {
        isAnchored ||= node.type === 'Assertion' && node.kind !== 'word';
      });
      if (isAnchored) return;
      context.report({
        range: placeIn(from, { start: 0, end: from.value.length }),
        message: `\`${from.value}\` is replaced wherever it stands in the URL, in parameters too; begin with \`^(https?://[^/?]+)\` and put that back as \`$1\``,
        args: { found: from.value },
      });
    },
  },
};
