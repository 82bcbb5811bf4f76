import type { Fix } from '@tollgate/diagnostics';
import { editScalar } from '@tollgate/policy';
import { placeIn, type Replacement } from '../../../actions/replacements.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import { simpleGroupCount } from '../../../regex/group-count.ts';
import { type PatternTree, visitNodes } from '../../../regex/pattern-tree.ts';
import { isPlainPattern } from '../../../regex/plain-pattern.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `from: v0/admin`. */
export const UNANCHORED: LintRule = {
  id: 'url/unanchored',
  severity: 'info',
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
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      if (!replacement?.from) return;
      const { from } = replacement;
      if (from.value.includes('://') || /^\^?\.[*+]\$?$/.test(from.value)) return;
      if (!isPlainPattern(from.value) && (isSimplyAnchored(from.value) || isAnchored(replacement.tree))) return;
      context.report({
        range: placeIn(from, { start: 0, end: from.value.length }),
        message: `\`${from.value}\` is replaced wherever it stands in the URL, in parameters too; begin with \`^(https?://[^/?]+)\` and put that back as \`$1\``,
        args: { found: from.value },
        fixes: anchoring(replacement, context.file.source.text),
      });
    },
  },
};

/** Without brackets and escapes, these are no signs of a text. */
function isSimplyAnchored(pattern: string): boolean {
  return simpleGroupCount(pattern) !== undefined && /[\^$]/.test(pattern);
}

/** Of a pattern that is not known nothing is said. */
function isAnchored(tree: PatternTree | undefined): boolean {
  if (!tree) return true;
  const { root } = tree;
  let isAnchored = false;
  visitNodes(root, node => {
    isAnchored ||= node.type === 'Assertion' && node.kind !== 'word';
  });
  return isAnchored;
}

/** Scheme and host, up to the path. */
const ORIGIN = '^(https?://[^/?]+)';

/** Where both are paths. Groups are counted from one more. */
function anchoring({ from, to, references, tree }: Replacement, document: string): readonly Fix[] {
  const isPath = [from!.value, to.value].every(text => text.startsWith('/'));
  const isNumbered = references.every(({ name, kind }) => kind !== 'group' || /^[1-9]\d*$/.test(name));
  if (!isPath || !isNumbered || !tree || tree.root.alternatives.length > 1 || !from!.node.text || !to.node.text)
    return [];
  const shifted = references
    .filter(({ kind }) => kind === 'group')
    .map(({ name, range }) => ({
      range,
      newText: to.value.slice(range.start, range.end).replace(name, String(Number(name) + 1)),
    }));
  const begin = { start: 0, end: 0 };
  const edits = [
    ...editScalar(document, from!.node.text, [{ range: begin, newText: ORIGIN }]),
    ...editScalar(document, to.node.text, [{ range: begin, newText: '$1' }, ...shifted]),
  ];
  return [{ title: 'replace it at the beginning of the path only', applicability: 'suggestion', edits }];
}
