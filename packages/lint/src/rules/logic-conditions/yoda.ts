import type { CallExpr } from '@tollgate/cel';
import { comparatorOf, mirrored } from '@tollgate/cel/tooling';
import { hasComment, withParentheses } from '../../logic/operator-chain.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const COMPARISONS = ['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_'];

/** Reports `'GET' == req.Method`. */
export const YODA: LintRule = {
  id: 'logic/yoda',
  severity: 'off',
  summary: 'comparison that starts with the literal',
  rationale:
    'A comparison is easier to read if the input comes before the literal, and a consistent order makes conditions easier to search.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions:
      - "«'TRACE' == req.Method»"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions:
      - req.Method == 'TRACE'
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    calls: Object.fromEntries(COMPARISONS.map(name => [name, checkComparison])),
  },
};

function checkComparison(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [left, right] = call.args;
  if (left?.kind !== 'literal' || right === undefined || right.kind === 'literal') return;
  const parts = [right, left].map(part => sourceOf(at, withParentheses(at.typed.ast.source, part.range)));
  const newText = `${parts[0]} ${mirrored(comparatorOf(call)!)} ${parts[1]}`;
  const edits = editsOf(at, [{ range: call.range, newText }]);
  context.report({
    range: rangeInDocument(at, call.range),
    message: `literal is on the left of the comparison; write \`${newText}\``,
    fixes: hasComment(at.typed.ast.source) ? [] : [{ title: `write \`${newText}\``, applicability: 'safe', edits }],
  });
}
