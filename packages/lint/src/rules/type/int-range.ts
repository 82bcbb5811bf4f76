import type { Expr, Literal } from '@tollgate/cel';
import { type Comparator, type Comparison, comparisonOf } from '@tollgate/cel/tooling';
import { variablePath } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `size(x) < 0`. */
export const INT_RANGE: LintRule = {
  id: 'type/int-range',
  severity: 'error',
  summary: 'comparison with a number outside the possible range',
  rationale:
    'Sizes are never negative, and ports end at 65535. A comparison with a number outside the possible range is always true or always ' +
    'false, which is hardly intended.',
  bad: {
    policy: `\
inbound:
  - name: require a user agent
    expressions: ["«size(getReqHeader('User-Agent')) < 0»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: require a user agent
    expressions: ["size(getReqHeader('User-Agent')) == 0"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    calls: { '_==_': check, '_!=_': check, '_<_': check, '_<=_': check, '_>_': check, '_>=_': check },
  },
};

interface Bounds {
  readonly subject: string;
  readonly min: number;
  readonly max: number;
}

function check(call: Comparison['node'], at: LintedExpression, context: LintContext): void {
  const comparison = comparisonOf(call);
  const bounds = comparison && boundsOf(comparison, at);
  const value = comparison && numberOf(comparison.literal.literal);
  if (!bounds || value === undefined) return;
  const constantResult = constantResultOf(comparison.comparator, value, bounds);
  if (constantResult === undefined) return;
  const range =
    bounds.max === Number.POSITIVE_INFINITY ? `at least ${bounds.min}` : `between ${bounds.min} and ${bounds.max}`;
  context.report({
    range: rangeInDocument(at, call.range),
    message: `comparison with ${value} is always ${constantResult}: ${bounds.subject} is ${range}; compare with another number`,
    args: { always: constantResult, value },
    ...(constantResult && { severity: 'warning' }),
  });
}

function boundsOf({ operand }: Comparison, { typed }: LintedExpression): Bounds | undefined {
  if (isSize(operand)) return { subject: 'a size', min: 0, max: Number.POSITIVE_INFINITY };
  const path = variablePath(typed, operand);
  if (path !== undefined && /(?:^|[._])port$/i.test(path)) return { subject: 'a port', min: 0, max: 65_535 };
  return undefined;
}

function isSize(node: Expr): boolean {
  return node.kind === 'call' && node.function === 'size';
}

function numberOf(literal: Literal): number | undefined {
  return literal.type === 'int' || literal.type === 'uint' ? Number(literal.value) : undefined;
}

/** Returns the result of the comparison if it is the same for every possible value; otherwise undefined. */
function constantResultOf(comparator: Comparator, value: number, { min, max }: Bounds): boolean | undefined {
  const holds = (number: number): boolean => {
    switch (comparator) {
      case '==':
        return number === value;
      case '!=':
        return number !== value;
      case '<':
        return number < value;
      case '<=':
        return number <= value;
      case '>':
        return number > value;
      case '>=':
        return number >= value;
    }
  };
  const isInside = value >= min && value <= max;
  // An order comparison changes its result only once, so comparing both bounds is enough.
  if (isInside && (comparator === '==' || comparator === '!=')) return undefined;
  return holds(min) === holds(max) ? holds(min) : undefined;
}
