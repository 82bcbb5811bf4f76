import type { CallExpr, Expr } from '@tollgate/cel';
import { hasComment, withParentheses } from '../../logic/operator-chain.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `x == true`. */
export const BOOL_COMPARISON: LintRule = {
  id: 'logic/bool-comparison',
  severity: 'info',
  summary: 'boolean compared with `true` or `false`',
  rationale:
    '`x == true` means the same as `x`, and `x == false` the same as `!x`. The comparison only makes the rule longer.',
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
  presets: ['style'],
  check: {
    calls: { '_==_': checkComparison, '_!=_': checkComparison },
  },
};

function checkComparison(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [left, right] = call.args as readonly [Expr, Expr];
  const literal = booleanIn(right) ?? booleanIn(left);
  const operand = booleanIn(right) === undefined ? right : left;
  // A value of type `dyn` need not be a boolean; without the comparison, it would fail.
  if (literal === undefined || at.typed.types[operand.id]?.kind !== 'bool') return;
  const isKept = literal === (call.function === '_==_');
  const text = (isKept ? '' : '!') + operandText(operand, at, !isKept);
  context.report({
    range: rangeInDocument(at, call.range),
    message: `comparison with \`${literal}\` is redundant; write \`${text}\``,
    fixes: hasComment(at.typed.ast.source) ? [] : [replacement(call, text, at)],
  });
}

function booleanIn(expr: Expr): boolean | undefined {
  return expr.kind === 'literal' && expr.literal.type === 'bool' ? expr.literal.value : undefined;
}

/** Returns the source of the operand with the parentheses that it has, or needs after `!`. */
function operandText(operand: Expr, at: LintedExpression, isNegated: boolean): string {
  const outer = withParentheses(at.typed.ast.source, operand.range);
  const isOperator = operand.kind === 'call' && /^(?:_.*_|@in)$/.test(operand.function) && operand.function !== '_[_]';
  const text = sourceOf(at, outer);
  return isNegated && isOperator && outer.start === operand.range.start ? `(${text})` : text;
}

function replacement({ range }: CallExpr, newText: string, at: LintedExpression) {
  return { title: `write \`${newText}\``, applicability: 'safe', edits: editsOf(at, [{ range, newText }]) } as const;
}
