import { costOf } from '@tollgate/cel';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports expressions such as a loop over all headers inside a loop over all headers. */
export const OVER_BUDGET: LintRule = {
  id: 'cost/over-budget',
  severity: 'error',
  summary: 'expression whose worst-case cost exceeds the budget',
  rationale:
    'The worst case is estimated in evaluator steps from the largest inputs that servers accept. Nested loops multiply it, and the ' +
    'client chooses how large the inputs are, so a single crafted request can delay all others.',
  bad: {
    policy: `\
inbound:
  - name: headers that repeat each other
    expressions:
      - «req.Headers.exists(a, req.Headers[a].exists(v, req.Headers.exists(b, req.Headers[b].exists(w, v != w && v.contains(w)))))»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: more than one forwarded host
    expressions:
      - size(getReqHeader('X-Forwarded-Host')) > 1
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended'],
  options: [
    {
      name: 'budget',
      type: { kind: 'int', min: 1, max: 1_000_000_000 },
      default: 1_000_000,
      doc: 'Maximum cost of one expression, in evaluator steps.',
    },
  ],
  check: {
    expression: (at, context) => {
      // No expression without a loop comes near the budget.
      if (at.typed.ast.macroCalls.size === 0) return;
      const budget = Number(context.options.budget);
      const { max } = costOf(at.typed, context.file.roles.sizes);
      if (max <= budget || !Number.isFinite(max)) return;
      context.report({
        range: rangeInDocument(at, at.typed.ast.root.range),
        message: `expression may cost ${rounded(max)} steps, above the budget of ${rounded(budget)}; look up single values instead of looping over all`,
        args: { cost: max, budget },
      });
    },
  },
};

/** Formats a number to two significant digits, such as `1,200,000`. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}
