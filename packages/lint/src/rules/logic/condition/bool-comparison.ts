import type { CallExpr, Expr } from '@tollgate/cel';
import { hasComment, withParentheses } from '../../../logic/conditions/operator-chain.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../../rule-api/linted-expression.ts';

/** `x == true`. */
export const BOOL_COMPARISON: LintRule = {
  id: 'logic/bool-comparison',
  severity: 'info',
  summary: 'a truth value compared with `true` or `false`',
  rationale:
    'A condition is true or false by itself: `x == true` says no more than `x`, and `x == false` no more than `!x`. It only makes the rule longer to read.',
  bad: {
    policy: `\
inbound:
  - name: browsers only
    expressions:
      - «hasReqHeader('User-Agent') == false»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: browsers only
    expressions:
      - "!hasReqHeader('User-Agent')"
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended', 'style'],
  check: {
    calls: { '_==_': checkComparison, '_!=_': checkComparison },
  },
};

function checkComparison(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [left, right] = call.args as readonly [Expr, Expr];
  const literal = truthIn(right) ?? truthIn(left);
  const operand = truthIn(right) === undefined ? right : left;
  // What is of type dyn need not be a truth value, and then fails where the comparison does not.
  if (literal === undefined || at.typed.types[operand.id]?.kind !== 'bool') return;
  const isKept = literal === (call.function === '_==_');
  const text = (isKept ? '' : '!') + operandText(operand, at, !isKept);
  context.report({
    range: placeOf(at, call.range),
    message: `a truth value needs no comparison with \`${literal}\`; write \`${text}\``,
    fixes: hasComment(at.typed.ast.source) ? [] : [replacement(call, text, at)],
  });
}

function truthIn(expr: Expr): boolean | undefined {
  return expr.kind === 'literal' && expr.literal.type === 'bool' ? expr.literal.value : undefined;
}

/** With the parentheses that it has, or needs as the operand of `!`. */
function operandText(operand: Expr, at: LintedExpression, isNegated: boolean): string {
  const written = withParentheses(at.typed.ast.source, operand.range);
  const isOperator = operand.kind === 'call' && /^(?:_.*_|@in)$/.test(operand.function) && operand.function !== '_[_]';
  const text = sourceOf(at, written);
  return isNegated && isOperator && written.start === operand.range.start ? `(${text})` : text;
}

function replacement({ range }: CallExpr, newText: string, at: LintedExpression) {
  return { title: `write \`${newText}\``, applicability: 'safe', edits: editsOf(at, [{ range, newText }]) } as const;
}
