import { REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { editScalar } from '@tollgate/policy';
import { replacementOf } from '../../analyses/url-walk.ts';
import { placeIn, type Reference, type Replacement } from '../../readers/replacements.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const NAMES = REPLACEMENT_VARIABLES.map(({ name }) => name);

/** Reports `$argz`. */
export const UNKNOWN_NAMED_VARIABLE: LintRule = {
  id: 'url/unknown-named-variable',
  severity: 'error',
  summary: 'unknown `$name` in a replacement',
  rationale:
    '`$name` inserts a part of the request that the edge knows (`$args`, `$host`, `$arg_page`) or a named group of the pattern. ' +
    'Letters, digits and `_` all belong to the name, so `$1x` refers to the group `1x`. An unknown name inserts nothing, without an ' +
    'error.',
  bad: {
    policy: `\
inbound:
  - name: move the search
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/search[?].*$", to: "$1/find?«$argz»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move the search
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/search[?].*$", to: "$1/find?$args" } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      for (const reference of replacement?.references ?? []) {
        if (reference.kind === undefined) report(reference, replacement!, context);
      }
    },
  },
};

function report({ name, range }: Reference, { to, hasVariables }: Replacement, context: LintContext): void {
  const number = /^\d+/.exec(name)?.[0];
  const suggestion = hasVariables ? nearest(name, NAMES) : undefined;
  const fixes =
    suggestion === undefined || !to.node.text
      ? []
      : editScalar(context.file.source.text, to.node.text, [{ range, newText: `$${suggestion}` }]);
  context.report({
    range: placeIn(to, range),
    message: `\`$${name}\` inserts nothing; ${hintFor(name, number, suggestion, hasVariables, context)}`,
    args: { found: name, ...(suggestion !== undefined && { suggestion }) },
    fixes:
      fixes.length > 0 ? [{ title: `change to \`$${suggestion}\``, applicability: 'suggestion', edits: fixes }] : [],
  });
}

function hintFor(
  name: string,
  number: string | undefined,
  suggestion: string | undefined,
  hasVariables: boolean,
  context: LintContext,
): string {
  if (number !== undefined) return `all of \`${name}\` is read as the name, so separate it from \`$${number}\``;
  if (suggestion !== undefined) return `did you mean \`$${suggestion}\`?`;
  if (hasVariables) return 'use a group of the pattern, or a part of the request such as `$args`';
  const query = context.file.roles.paths.get('query');
  return `use a group of the pattern, or an expression such as \`\${${query}}\``;
}
