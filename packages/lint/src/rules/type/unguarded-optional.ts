import type { Expr } from '@tollgate/cel';
import { absentVariable } from '../../analyses/failures/absences.ts';
import { failsOpen } from '../../analyses/failures/fails-open.ts';
import { guardFixes } from '../../analyses/failures/guard-fix.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule-api/linted-expression.ts';

/** `req.content_length > 1000`. */
export const UNGUARDED_OPTIONAL: LintRule = {
  id: 'type/unguarded-optional',
  severity: 'info',
  summary: 'a value that may be missing, read without asking for it',
  rationale:
    'Some values are not always there: the length of a body that is streamed, the certificate of a client that shows none. Reading one that ' +
    'is missing is an error, and a condition that ends in an error does not match. Ask with `has` first, so that the rule says what happens then. Rules ' +
    'that refuse traffic are for `sec/fails-open`.',
  bad: {
    policy: `\
on_http_request:
  - name: large uploads
    expressions: ["«req.content_length» > 1000000"]
    actions: [{ type: log }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: large uploads
    expressions: ["!has(req.content_length) || req.content_length > 1000000"]
    actions: [{ type: log }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['strict', 'security'],
  check: {
    nodes: {
      select: (node, at, context) => {
        const absence = at.role === 'interpolation' ? undefined : absentVariable(node, at, context.file);
        if (absence && !failsOpen(at, context.file)) report(node, absence, at, context);
      },
    },
  },
};

function report(
  node: Expr,
  { path, when }: { readonly path: string; readonly when: string },
  at: LintedExpression,
  context: LintContext,
): void {
  context.report({
    range: placeOf(at, node.range),
    message: `\`${path}\` is missing when ${when}, which ends in an error here, and the rule does not match; ask \`has(${path})\` first`,
    args: { path },
    fixes: guardFixes(at, node, `has(${path})`),
  });
}
