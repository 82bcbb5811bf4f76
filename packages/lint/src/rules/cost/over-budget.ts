import { costOf } from '@tollgate/cel';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** A loop over all headers in a loop over all headers. */
export const OVER_BUDGET: LintRule = {
  id: 'cost/over-budget',
  severity: 'error',
  summary: 'a condition that may cost more than is good for an edge',
  rationale:
    'The most that an evaluation may cost is reckoned from the largest inputs that servers accept, in steps of an evaluator. Loops in ' +
    'loops multiply it, and a client chooses the sizes: one request then holds up all others.',
  bad: {
    policy: `\
inbound:
  - name: headers that are alike
    expressions:
      - «req.Headers.exists(a, req.Headers[a].exists(v, req.Headers.exists(b, req.Headers[b].exists(w, v != w && v.contains(w)))))»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: two hosts
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
      doc: 'Most that one expression may cost, in steps of the evaluator.',
    },
  ],
  check: {
    expression: (at, context) => {
      // Without a loop no expression comes near any budget.
      if (at.typed.ast.macroCalls.size === 0) return;
      const budget = Number(context.options.budget);
      const { max } = costOf(at.typed, context.file.roles.sizes);
      if (max <= budget || !Number.isFinite(max)) return;
      context.report({
        range: placeOf(at, at.typed.ast.root.range),
        message: `this may cost ${rounded(max)} steps, and ${rounded(budget)} are allowed; look up what is asked for rather than go through all`,
        args: { cost: max, budget },
      });
    },
  },
};

/** To two figures, as `1,200,000`. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}
