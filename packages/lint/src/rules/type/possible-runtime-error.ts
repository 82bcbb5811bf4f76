import type { CallExpr } from '@tollgate/cel';
import { failsOpen } from '../../analyses/failures/fails-open.ts';
import { failureOf } from '../../analyses/failures/failures.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule-api/linted-expression.ts';

/** `int(req.Params['n'][0]) > 5`. */
export const POSSIBLE_RUNTIME_ERROR: LintRule = {
  id: 'type/possible-runtime-error',
  severity: 'info',
  summary: 'an operation that ends in an error for some requests',
  rationale:
    'Dividing by zero, converting a string that is not a number, or reading the second part of a string that has one part is an error, and a ' +
    'condition that ends in an error does not match. Whoever sends the request decides whether that happens. Test the value before it is ' +
    'used. Rules that refuse traffic are for `sec/fails-open`.',
  bad: {
    policy: `\
inbound:
  - name: many pages
    expressions: ["'n' in req.Params && «int(req.Params['n'][0])» > 100"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: many pages
    expressions:
      - "'n' in req.Params && req.Params['n'].exists(n, n.matches('^[0-9]{1,9}$') && int(n) > 100)"
    actions: [{ type: log }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  check: {
    nodes: {
      call: (call: CallExpr, at: LintedExpression, context: LintContext) => {
        const why = failureOf(call, at);
        if (why === undefined || failsOpen(at, context.file)) return;
        context.report({ range: placeOf(at, call.range), message: `${why}, which ends in an error; test it first` });
      },
    },
  },
};
