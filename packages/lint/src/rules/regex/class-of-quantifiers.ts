import type { AST } from '@eslint-community/regexpp';
import { patternTreeOf } from '../../analyses/file/pattern-trees.ts';
import { checkPatterns } from '../../analyses/literals/pattern-uses.ts';
import { visitNodes } from '../../regex/pattern-tree.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `[.*]`, `[.+]?`: signs of repetition behind a dot, and nothing else. */
const REPETITION = /^\[\.[*+?]\]$/;
/** `[GET|POST]`: words between bars. */
const WORDS = /^\[[A-Za-z]{2,}(?:\|[A-Za-z]{2,})+\]$/;

/** `/products/([.*]+)?`. */
export const CLASS_OF_QUANTIFIERS: LintRule = {
  id: 'regex/class-of-quantifiers',
  severity: 'warning',
  summary: 'a class of single signs where a repetition or a choice of words was meant',
  rationale:
    'Between square brackets every sign stands for itself: `[.*]` is a dot or a star, and `[GET|POST]` one letter of these. Anything is ' +
    '`.*`, one of several words `(?:GET|POST)`.',
  bad: {
    policy: `\
inbound:
  - name: products have moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/products/(«[.*]»+)$", to: "$1/shop/$2" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: products have moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/products/(.*)$", to: "$1/shop/$2" } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: checkPatterns(({ pattern, placeOf, edit }, context) => {
    if (!/\[(?:\.[*+?]\]|[A-Za-z]{2,}\|)/.test(pattern)) return;
    const tree = patternTreeOf(pattern, context.file);
    if (!tree) return;
    visitNodes(tree.root, node => {
      const meant = node.type === 'CharacterClass' ? meantBy(node) : undefined;
      if (meant === undefined) return;
      const { parent, raw } = node;
      const whole = parent?.type === 'Quantifier' ? parent : node;
      const edits = edit(whole, meant);
      context.report({
        range: placeOf(node),
        message: `\`${raw}\` is one sign out of those between the brackets; write \`${meant}\``,
        args: { found: raw, suggestion: meant },
        fixes: edits.length > 0 ? [{ title: `change to \`${meant}\``, applicability: 'suggestion', edits }] : [],
      });
    });
  }),
};

function meantBy({ raw }: AST.CharacterClass): string | undefined {
  if (REPETITION.test(raw)) return raw.slice(1, -1);
  return WORDS.test(raw) ? `(?:${raw.slice(1, -1)})` : undefined;
}
