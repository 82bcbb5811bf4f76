import type { Expr } from '@tollgate/cel';
import { variablePath } from '../../facts/variable-path.ts';
import { writtenNodes } from '../../facts/written-nodes.ts';
import { guardFixes } from '../../rule/guard-fix.ts';
import type { LintContext } from '../../rule/lint-context.ts';
import type { LintRule } from '../../rule/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule/linted-expression.ts';

/** `req.content_length > 1000`. */
export const UNGUARDED_OPTIONAL: LintRule = {
  id: 'type/unguarded-optional',
  severity: 'info',
  summary: 'a value that may be missing, read without asking for it',
  rationale:
    'Some values are not always there: the length of a body that is streamed, the certificate of a client that shows none. Reading one that ' +
    'is missing is an error, and a condition that ends in an error does not match. Ask with `has` first, so that the rule says what happens then.',
  bad: {
    policy: `\
on_http_request:
  - name: no large uploads
    expressions: ["«req.content_length» > 1000000"]
    actions: [{ type: deny, config: { status_code: 413 } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: no large uploads
    expressions: ["!has(req.content_length) || req.content_length > 1000000"]
    actions: [{ type: deny, config: { status_code: 413 } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['strict', 'security'],
  check: {
    nodes: {
      select: (node, at, context) => {
        if (node.testOnly || at.role === 'interpolation') return;
        const path = variablePath(at.typed, node);
        const fact = path === undefined ? undefined : context.file.roles.variables.get(path);
        if (!fact?.absent || fact.absent.value !== undefined || fact.setBy !== undefined) return;
        // Of `a.b.c`, `a.b` is reported once, with the whole.
        if (at.ancestors.at(-1)?.kind === 'select' || isAskedFor(fact.path, at)) return;
        report(node, { path: fact.path, when: fact.absent.when }, at, context);
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

/** Whether some condition of the rule asks for the value, or for a part that it belongs to. Where does not matter: it was thought of. */
function isAskedFor(path: string, { rule, typed }: LintedExpression): boolean {
  const all = [typed, ...rule.expressions.flatMap(one => one.typed ?? [])];
  return all.some(one =>
    writtenNodes(one.ast).some(({ node }) => {
      const asked = askedPath(node);
      return asked !== undefined && `${path}.`.startsWith(`${asked}.`);
    }),
  );
}

function askedPath(node: Expr): string | undefined {
  const [asked] = node.kind === 'call' && node.function === 'has' ? node.args : [];
  return asked && sourcePath(asked);
}

function sourcePath(node: Expr): string | undefined {
  if (node.kind === 'ident') return node.name.replace(/^\./, '');
  if (node.kind !== 'select') return undefined;
  const operand = sourcePath(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}
