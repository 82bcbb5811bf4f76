import type { Fix } from '@tollgate/diagnostics';
import { editScalar } from '@tollgate/policy';
import { replacementOf } from '../../analyses/url-walk.ts';
import { isPlainPattern, type PatternTree, simpleGroupCount, visitNodes } from '../../readers/pattern-tree.ts';
import { placeIn, type Replacement } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `from: v0/admin`. */
export const UNANCHORED: LintRule = {
  id: 'url/unanchored',
  severity: 'info',
  summary: 'unanchored pattern that may replace several parts of a URL',
  rationale:
    'A pattern is matched against the whole URL, from scheme to query, and *every* match is replaced. A path pattern without `^` or ' +
    '`$` also matches inside other paths and in parameters: `?next=/v0/` is rewritten too.',
  bad: {
    policy: `\
inbound:
  - name: map v0 to v1
    actions: [{ type: url-rewrite, config: { from: «/v0/», to: /v1/ } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: map v0 to v1
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/v0/", to: "$1/v1/" } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['strict'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      if (!replacement?.from) return;
      const { from } = replacement;
      if (from.value.includes('://') || /^\^?\.[*+]\$?$/.test(from.value)) return;
      if (!isPlainPattern(from.value) && (isSimplyAnchored(from.value) || isAnchored(replacement.tree))) return;
      context.report({
        range: placeIn(from, { start: 0, end: from.value.length }),
        message: `\`${from.value}\` is replaced anywhere in the URL, even in parameters; prefix it with \`^(https?://[^/?]+)\`, and the replacement with \`$1\``,
        args: { found: from.value },
        fixes: anchoring(replacement, context.file.source.text),
      });
    },
  },
};

/** True if the pattern has an anchor and neither classes nor escapes, in which `^` and `$` would be literal. */
function isSimplyAnchored(pattern: string): boolean {
  return simpleGroupCount(pattern) !== undefined && /[\^$]/.test(pattern);
}

/** True if the pattern contains an anchor, or could not be parsed. */
function isAnchored(tree: PatternTree | undefined): boolean {
  if (!tree) return true;
  const { root } = tree;
  let isAnchored = false;
  visitNodes(root, node => {
    isAnchored ||= node.type === 'Assertion' && node.kind !== 'word';
  });
  return isAnchored;
}

/** Matches scheme and host. */
const ORIGIN = '^(https?://[^/?]+)';

/** Anchors the pattern and renumbers groups. Offers a fix only if pattern and replacement are both paths. */
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
  const start = { start: 0, end: 0 };
  const edits = [
    ...editScalar(document, from!.node.text, [{ range: start, newText: ORIGIN }]),
    ...editScalar(document, to.node.text, [{ range: start, newText: '$1' }, ...shifted]),
  ];
  return [{ title: 'replace only at the start of the path', applicability: 'suggestion', edits }];
}
