import type { Expr, Literal } from '@tollgate/cel';
import { type Comparator, type Comparison, comparisonOf } from '../../expressions/comparisons.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule-api/linted-expression.ts';

/** `size(x) < 0`. */
export const INT_RANGE: LintRule = {
  id: 'type/int-range',
  severity: 'error',
  summary: 'a number compared with one that it can never reach',
  rationale:
    'Sizes are not negative and ports end at 65535. A comparison with a number outside of what is possible always holds or never does, and ' +
    'was meant in another way.',
  bad: {
    policy: `\
inbound:
  - name: no empty agents
    expressions: ["«size(getReqHeader('User-Agent')) < 0»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no empty agents
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
  readonly what: string;
  readonly min: number;
  readonly max: number;
}

function check(call: Comparison['node'], at: LintedExpression, context: LintContext): void {
  const comparison = comparisonOf(at.typed, call);
  const bounds = comparison && boundsOf(comparison);
  const value = comparison && numberOf(comparison.value);
  if (!bounds || value === undefined) return;
  const always = alwaysOf(comparison.comparator, value, bounds);
  if (always === undefined) return;
  const range =
    bounds.max === Number.POSITIVE_INFINITY ? `from ${bounds.min} on` : `from ${bounds.min} to ${bounds.max}`;
  context.report({
    range: placeOf(at, call.range),
    message: `this ${always ? 'always' : 'never'} holds: ${bounds.what} is ${range}, found ${value}`,
    args: { always, value },
    ...(always && { severity: 'warning' }),
  });
}

function boundsOf({ operand, path }: Comparison): Bounds | undefined {
  if (isSize(operand)) return { what: 'a size', min: 0, max: Number.POSITIVE_INFINITY };
  if (path !== undefined && /(?:^|[._])port$/i.test(path)) return { what: 'a port', min: 0, max: 65_535 };
  return undefined;
}

function isSize(node: Expr): boolean {
  return node.kind === 'call' && node.function === 'size';
}

function numberOf(literal: Literal): number | undefined {
  return literal.type === 'int' || literal.type === 'uint' ? Number(literal.value) : undefined;
}

/** What the comparison gives for every possible value; undefined when it depends on the value. */
function alwaysOf(comparator: Comparator, value: number, { min, max }: Bounds): boolean | undefined {
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
  // Between the ends a comparison only changes at the value.
  if (isInside && (comparator === '==' || comparator === '!=')) return undefined;
  return holds(min) === holds(max) ? holds(min) : undefined;
}
