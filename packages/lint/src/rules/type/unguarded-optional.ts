import type { Expr } from '@tollgate/cel';
import { absentVariable } from '../../analyses/failures.ts';
import { failsOpen, guardFixes } from '../../analyses/guards.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `req.content_length > 1000`. */
export const UNGUARDED_OPTIONAL: LintRule = {
  id: 'type/unguarded-optional',
  severity: 'info',
  summary: 'optional value read without testing that it exists',
  rationale:
    'Some values are not always present, such as the length of a streamed body or the certificate of a client that presents none. ' +
    'Reading a missing one is an error, and a condition that ends in an error does not match. Test with `has` first to state what ' +
    'should happen. Rules that deny traffic are reported by `sec/fails-open`.',
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
    range: rangeInDocument(at, node.range),
    message: `condition fails with an error when ${when}; test \`has(${path})\` first`,
    args: { path },
    fixes: guardFixes(at, node, { question: `has(${path})` }),
  });
}
