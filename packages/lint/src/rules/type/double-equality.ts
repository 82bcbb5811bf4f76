import type { CallExpr } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule-api/linted-expression.ts';

/** `double(conn.Geo.Latitude) == 52.52`. */
export const DOUBLE_EQUALITY: LintRule = {
  id: 'type/double-equality',
  severity: 'warning',
  summary: 'fractions compared for equality',
  rationale:
    'A number with a fraction is rarely exactly what it is compared with: `0.1 + 0.2` is not `0.3`, and coordinates are rounded by whoever looks ' +
    'them up. Compare with a range.',
  bad: {
    policy: `\
inbound:
  - name: the office
    expressions: ["conn.Geo.Latitude != '' && «double(conn.Geo.Latitude) == 52.52»"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the office
    expressions:
      - conn.Geo.Latitude != ''
      - double(conn.Geo.Latitude) > 52.5 && double(conn.Geo.Latitude) < 52.6
    actions: [{ type: log }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: { calls: { '_==_': check, '_!=_': check } },
};

function check(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const isDouble = call.args.some(arg => at.typed.types[arg.id]?.kind === 'double' && !isWhole(arg));
  if (!isDouble) return;
  const message = 'numbers with fractions are hardly ever equal; compare with a range';
  context.report({ range: placeOf(at, call.range), message });
}

/** `x == 1.0` is meant for numbers that are counted. */
function isWhole(arg: CallExpr['args'][number]): boolean {
  return arg.kind === 'literal' && Number.isInteger(arg.literal.value);
}
