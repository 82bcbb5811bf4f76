import type { CallExpr, Expr } from '@tollgate/cel';
import { hasComment, isLogicalOperator, withParentheses } from '../../logic/operator-chain.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const OPPOSITE: Readonly<Record<string, string>> = { '_==_': '!=', '_!=_': '==' };

/** Reports `!(a != b)`. */
export const DOUBLE_NEGATION: LintRule = {
  id: 'logic/double-negation',
  severity: 'info',
  summary: 'negated `==` or `!=`',
  rationale:
    '`!(a != b)` means `a == b`, and `!(a == b)` means `a != b`, even with evaluation errors. The short form is easier to read.',
  bad: {
    policy: `\
inbound:
  - name: one host only
    expressions:
      - "«!(req.Host == 'app.example.com')»"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: one host only
    expressions:
      - req.Host != 'app.example.com'
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    calls: {
      '!_': (call, at, context) => {
        const [inner] = call.args;
        const operator = inner?.kind === 'call' ? OPPOSITE[inner.function] : undefined;
        if (operator === undefined) return;
        const text = comparison(inner as CallExpr, operator, at);
        context.report({
          range: rangeInDocument(at, call.range),
          message: `negated comparison; write \`${text}\``,
          fixes: hasComment(at.typed.ast.source) ? [] : [replacement(call, text, at)],
        });
      },
    },
  },
};

function comparison({ args }: CallExpr, operator: string, at: LintedExpression): string {
  const [left, right] = args.map(arg => sourceOf(at, withParentheses(at.typed.ast.source, arg.range)));
  return `${left} ${operator} ${right}`;
}

function replacement({ range }: CallExpr, text: string, at: LintedExpression) {
  const newText = isLoose(at.ancestors.at(-1)) || isWrapped(range, at) ? text : `(${text})`;
  return { title: `write \`${text}\``, applicability: 'safe', edits: editsOf(at, [{ range, newText }]) } as const;
}

/** True if every comparison binds tighter than the parent. */
function isLoose(parent: Expr | undefined): boolean {
  return (
    parent === undefined || isLogicalOperator(parent) || (parent.kind === 'call' && !parent.function.includes('_'))
  );
}

function isWrapped(range: Expr['range'], at: LintedExpression): boolean {
  return withParentheses(at.typed.ast.source, range).start < range.start;
}
