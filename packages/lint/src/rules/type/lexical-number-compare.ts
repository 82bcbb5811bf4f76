import type { CallExpr } from '@tollgate/cel';
import { type Comparison, comparisonOf } from '../../expressions/comparisons.ts';
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
  if (comparison?.value.type !== 'string' || !NUMBER.test(comparison.value.value)) return;
  if (at.typed.types[comparison.operand.id]?.kind !== 'string') return;
  const isVersion = at.analysis.testsOf('tls-version').some(({ operand }) => operand === comparison.operand);
  if (!isVersion) report(comparison, comparison.value.value, at, context);
}

function report(comparison: Comparison, text: string, at: LintedExpression, context: LintContext): void {
  const { node, operand, literal } = comparison;
  const value = sourceOf(at, operand.range);
  const conversion = text.includes('.') ? 'double' : 'int';
  const number = text.startsWith('+') ? text.slice(1) : text;
  const edits = editsOf(at, [
    { range: operand.range, newText: `${conversion}(${value})` },
    { range: literal.range, newText: number },
  ]);
  context.report({
    range: rangeInDocument(at, node.range),
    message: `numbers are compared as strings, so \`"9"\` is greater than \`"10"\`; compare \`${conversion}(${value})\` with \`${number}\``,
    args: { value, number },
    fixes: [{ title: 'compare numbers', applicability: 'suggestion', edits }],
  });
}
