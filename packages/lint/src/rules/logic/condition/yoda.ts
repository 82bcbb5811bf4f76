import type { CallExpr } from '@tollgate/cel';
import { hasComment, withParentheses } from '../../../logic/conditions/operator-chain.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../../rule-api/linted-expression.ts';

const MIRRORED: Readonly<Record<string, string>> = {
  '_==_': '==',
  '_!=_': '!=',
  '_<_': '>',
  '_<=_': '>=',
  '_>_': '<',
  '_>=_': '<=',
};

/** `'GET' == req.Method`. */
export const YODA: LintRule = {
  id: 'logic/yoda',
  severity: 'off',
  summary: 'a comparison that begins with the literal',
  rationale:
    'People read from what is asked about to what it is compared with. Comparisons that all stand the same way are also easier to search for.',
  bad: {
    policy: `\
inbound:
  - name: no tracing
    expressions:
      - "«'TRACE' == req.Method»"
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no tracing
    expressions:
      - req.Method == 'TRACE'
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    calls: Object.fromEntries(Object.keys(MIRRORED).map(name => [name, checkComparison])),
  },
};

function checkComparison(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [left, right] = call.args;
  if (left?.kind !== 'literal' || right === undefined || right.kind === 'literal') return;
  const parts = [right, left].map(part => sourceOf(at, withParentheses(at.typed.ast.source, part.range)));
  const newText = `${parts[0]} ${MIRRORED[call.function]} ${parts[1]}`;
  const edits = editsOf(at, [{ range: call.range, newText }]);
  context.report({
    range: placeOf(at, call.range),
    message: `the comparison begins with the literal; write \`${newText}\``,
    fixes: hasComment(at.typed.ast.source) ? [] : [{ title: `write \`${newText}\``, applicability: 'safe', edits }],
  });
}
