import type { CallExpr } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `double(conn.Geo.Latitude) == 52.52`. */
export const DOUBLE_EQUALITY: LintRule = {
  id: 'type/double-equality',
  severity: 'warning',
  summary: 'equality comparison of floating-point numbers',
  rationale:
    'A floating-point value is rarely exactly equal to another: `0.1 + 0.2` is not `0.3`, and geolocation providers round coordinates ' +
    'differently. Compare with a range.',
  bad: {
    policy: `\
inbound:
  - name: log visits from the office
    expressions: ["conn.Geo.Latitude != '' && «double(conn.Geo.Latitude) == 52.52»"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: log visits from the office
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
  const message = 'floating-point numbers are rarely exactly equal; compare with a range';
  context.report({ range: rangeInDocument(at, call.range), message });
}

/** True for whole literals such as `1.0`, which counted values can equal. */
function isWhole(arg: CallExpr['args'][number]): boolean {
  return arg.kind === 'literal' && Number.isInteger(arg.literal.value);
}
