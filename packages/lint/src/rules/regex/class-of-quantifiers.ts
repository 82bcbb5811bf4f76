import type { AST } from '@eslint-community/regexpp';
import { checkPatterns, patternTreeOf } from '../../analyses/patterns.ts';
import { visitNodes } from '../../readers/pattern-tree.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `[.*]` or `[.+]`: a class that contains only a dot and a quantifier. */
const REPETITION = /^\[\.[*+?]\]$/;
/** `[GET|POST]`: a class that contains only words separated by bars. */
const WORDS = /^\[[A-Za-z]{2,}(?:\|[A-Za-z]{2,})+\]$/;

/** Reports `/products/([.*]+)?`. */
export const CLASS_OF_QUANTIFIERS: LintRule = {
  id: 'regex/class-of-quantifiers',
  severity: 'warning',
  summary: 'character class used as a repetition or a choice of words',
  rationale:
    'Inside square brackets most characters stand for themselves: `[.*]` matches one dot or star, and `[GET|POST]` matches one of ' +
    'those letters or a bar. To match anything write `.*`; to match one of several words write `(?:GET|POST)`.',
  bad: {
    policy: `\
inbound:
  - name: move products to the shop
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/products/(«[.*]»+)$", to: "$1/shop/$2" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move products to the shop
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/products/(.*)$", to: "$1/shop/$2" } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: checkPatterns(({ pattern, rangeOf, edit }, context) => {
    if (!/\[(?:\.[*+?]\]|[A-Za-z]{2,}\|)/.test(pattern)) return;
    const tree = patternTreeOf(pattern, context.file);
    if (!tree) return;
    visitNodes(tree.root, node => {
      const suggestion = node.type === 'CharacterClass' ? intendedPattern(node) : undefined;
      if (suggestion === undefined) return;
      const { parent, raw } = node;
      const whole = parent?.type === 'Quantifier' ? parent : node;
      const edits = edit([whole], suggestion);
      context.report({
        range: rangeOf(node),
        message: `\`${raw}\` matches a single character; write \`${suggestion}\``,
        args: { found: raw, suggestion },
        fixes: edits.length > 0 ? [{ title: `change to \`${suggestion}\``, applicability: 'suggestion', edits }] : [],
      });
    });
  }),
};

function intendedPattern({ raw }: AST.CharacterClass): string | undefined {
  if (REPETITION.test(raw)) return raw.slice(1, -1);
  return WORDS.test(raw) ? `(?:${raw.slice(1, -1)})` : undefined;
}
