import type { Expr } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `"req.Method == \"GET\""`. */
export const QUOTE_STYLE: LintRule = {
  id: 'style/quote-style',
  severity: 'info',
  summary: 'quotes in an expression that need escaping',
  rationale:
    'An expression in double quotes needs a backslash before each double quote; one in single quotes needs each single quote doubled. ' +
    'With the other kind of quotes inside the expression, no escaping is needed.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == «\\"TRACE\\"»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
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
/** A string literal whose content needs no escaping in either kind of quotes. */
const PLAIN_LITERAL = /^(["'])([^"'\\\n]*)\1$/;

function check(node: Extract<Expr, { kind: 'literal' }>, at: LintedExpression, context: LintContext): void {
  if (node.literal.type !== 'string') return;
  const source = sourceOf(at, node.range);
  const range = rangeInDocument(at, node.range);
  const quote = source[0] === '"' ? '"' : "'";
  // An escaped literal is longer in the document than in the expression.
  if (
    !PLAIN_LITERAL.test(source) ||
    range.end - range.start === source.length ||
    at.document[at.text.range.start] !== quote
  )
    return;
  const newText = OTHER[quote] + source.slice(1, -1) + OTHER[quote];
  context.report({
    range,
    message: `quotes of ${source} are escaped here; write ${newText}`,
    fixes: [
      {
        title: 'use the other kind of quotes',
        applicability: 'safe',
        edits: editsOf(at, [{ range: node.range, newText }]),
      },
    ],
  });
}
