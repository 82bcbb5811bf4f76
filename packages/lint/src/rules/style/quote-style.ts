import type { Expr } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** `"req.Method == \"GET\""`. */
export const QUOTE_STYLE: LintRule = {
  id: 'style/quote-style',
  severity: 'info',
  summary: 'quotes in an expression that must be escaped in the document',
  rationale:
    'An expression in double quotes needs a backslash before each double quote in it, one in single quotes needs two of them. With the other quotes in ' +
    'the expression, it reads as it is.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == «\\"TRACE\\"»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: { nodes: { literal: check } },
};

const OTHER = { "'": '"', '"': "'" } as const;
/** A plain literal, whose content needs no escape in either quotes. */
const PLAIN = /^(["'])([^"'\\\n]*)\1$/;

function check(node: Extract<Expr, { kind: 'literal' }>, at: LintedExpression, context: LintContext): void {
  if (node.literal.type !== 'string') return;
  const source = sourceOf(at, node.range);
  const range = placeOf(at, node.range);
  const quote = source[0] === '"' ? '"' : "'";
  // What is escaped takes more room in the document.
  if (!PLAIN.test(source) || range.end - range.start === source.length || at.document[at.text.range.start] !== quote)
    return;
  const newText = OTHER[quote] + source.slice(1, -1) + OTHER[quote];
  context.report({
    range,
    message: `the quotes of ${source} must be escaped here; ${newText} needs no escape`,
    fixes: [
      { title: 'use the other quotes', applicability: 'safe', edits: editsOf(at, [{ range: node.range, newText }]) },
    ],
  });
}
