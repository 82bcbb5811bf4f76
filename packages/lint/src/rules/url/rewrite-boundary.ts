import { replacementOf } from '../../analyses/url-walk.ts';
import { placeIn } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A name directly before a group that takes everything after it. */
const OPEN_GROUP = /\/([\w-]*\w)\((\.[*+]\??)\)\$?$/;

/** A path whose last segment is a name. */
const BEHIND_NAME = /\/[\w-]*\w$/;

/** Reports `from: /static(.*)`. */
export const REWRITE_BOUNDARY: LintRule = {
  id: 'url/rewrite-boundary',
  severity: 'warning',
  summary: 'rewrite of a path that also takes longer names',
  rationale:
    'In `/static(.*)` the group begins in the middle of a path segment, so `/statics` and `/static-old/x` are rewritten too, to ' +
    '`/filess` and `/files-old/x`. Let the group begin with the slash or the question mark that ends the segment.',
  bad: {
    policy: `\
inbound:
  - name: files have moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/]+)«/static(.*)»", to: "$1/files$2" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: files have moved
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/]+)/static([/?].*)?$", to: "$1/files$2" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const { from, to, tree, references = [] } = replacementOf(action, context.file) ?? {};
      const found = from && OPEN_GROUP.exec(from.value);
      if (!found || !to || !tree || tree.root.alternatives.length > 1) return;
      // The replacement inserts the group directly after a name, so the two segments grow together.
      const last = String(tree.groups.length);
      const isInserted = references.some(
        ({ kind, name, range }) =>
          kind === 'group' && name === last && BEHIND_NAME.test(to.value.slice(0, range.start)),
      );
      if (!isInserted) return;
      const name = found[1]!;
      context.report({
        range: placeIn(from, { start: found.index, end: from.value.length }),
        message: `\`/${name}s\` is rewritten too; write \`/${name}([/?].*)?$\``,
        args: { found: name },
      });
    },
  },
};
