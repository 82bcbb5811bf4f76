import type { CallExpr } from '@tollgate/cel';
import { type Comparison, comparisonOf, placedOperator } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { applyEdits } from '@tollgate/policy';
import { keepsOut } from '../../analyses/access.ts';
import { originOf } from '../../readers/value-origin.ts';
import { operandSource } from '../../rule-api/fixes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Reports `conn.Geo.Latitude >= "45.0"`; `tls/version-lexical` reports TLS versions. */
export const LEXICAL_NUMBER_COMPARE: LintRule = {
  id: 'type/lexical-number-compare',
  severity: 'warning',
  summary: 'numbers compared as strings',
  rationale:
    'Strings compare character by character: `"9" > "10"` is true, and so is `"-9.5" <= "-93.0"`. A string bound lets the wrong values ' +
    'pass as soon as they differ in length or sign. Convert the value and compare numbers.',
  bad: {
    policy: `\
inbound:
  - name: log northern visitors
    expressions: ['«conn.Geo.Latitude >= "45.0"»']
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: log northern visitors
    expressions: ["conn.Geo.Latitude != '' && double(conn.Geo.Latitude) >= 45.0"]
    actions: [{ type: log }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: { calls: { '_<_': compare, '_<=_': compare, '_>_': compare, '_>=_': compare } },
};

function compare(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const comparison = comparisonOf(call);
  const value = comparison?.literal.literal;
  if (comparison === undefined || value?.type !== 'string' || !NUMBER.test(value.value)) return;
  if (at.typed.types[comparison.operand.id]?.kind !== 'string') return;
  const isVersion = at.analysis.testsOf('tls-version').some(({ operand }) => operand === comparison.operand);
  if (!isVersion) report(comparison, value.value, at, context);
}

function report(comparison: Comparison, text: string, at: LintedExpression, context: LintContext): void {
  const { node, operand, literal } = comparison;
  const value = sourceOf(at, operand.range);
  const conversion = text.includes('.') ? 'double' : 'int';
  const number = text.startsWith('+') ? text.slice(1) : text;
  const own = sourceOf(at, node.range);
  const from = (range: Range) => ({ start: range.start - node.range.start, end: range.end - node.range.start });
  const compared = applyEdits(own, [
    { range: from(operand.range), newText: `${conversion}(${value})` },
    { range: from(literal.range), newText: number },
  ]);
  // The conversion of anything else is an error, which would let traffic pass that the rule refuses.
  const isNumber = `${operandSource(at, operand)}.matches('${PATTERNS[conversion]}')`;
  const mustMatch = keepsOut(at.rule) !== isNegated(node, at);
  // A status is always a number, in quotes or not.
  const isStatus = originOf(at.typed, context.file.roles, operand)?.role === 'status';
  const newText = isStatus ? compared : mustMatch ? `!${isNumber} || ${compared}` : `${isNumber} && ${compared}`;
  const operator = isStatus ? 'in' : mustMatch ? '||' : '&&';
  const placed = placedOperator(newText, operator, { source: at.typed.ast.source, range: node.range });
  const edits = editsOf(at, [{ range: node.range, newText: placed }]);
  context.report({
    range: rangeInDocument(at, node.range),
    message: `numbers are compared as strings, so \`"9"\` is greater than \`"10"\`; compare \`${conversion}(${value})\` with \`${number}\``,
    args: { value, number },
    fixes: [{ title: 'compare numbers', applicability: 'suggestion', edits }],
  });
}

const PATTERNS = { int: '^[+-]?[0-9]{1,18}$', double: '^[+-]?[0-9]+([.][0-9]+)?$' } as const;

function isNegated(node: CallExpr, { analysis }: LintedExpression): boolean {
  return analysis.nodes.find(one => one.node.id === node.id)?.isNegated ?? false;
}
