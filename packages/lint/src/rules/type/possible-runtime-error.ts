import type { CallExpr } from '@tollgate/cel';
import { failureOf } from '../../analyses/failures.ts';
import { failsOpen } from '../../analyses/guards.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `int(req.Params['n'][0]) > 5`. */
export const POSSIBLE_RUNTIME_ERROR: LintRule = {
  id: 'type/possible-runtime-error',
  severity: 'info',
  summary: 'operation that fails for some requests',
  rationale:
    'Dividing by zero, converting a string that is not a number, or reading the second part of a string that has only one is an error, ' +
    'and a condition that ends in an error does not match. The client decides whether that happens. Test the value before using it. ' +
    'Rules that deny traffic are reported by `sec/fails-open`.',
  bad: {
    policy: `\
inbound:
  - name: log large page numbers
    expressions: ["'n' in req.Params && «int(req.Params['n'][0])» > 100"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: log large page numbers
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
        const failure = failureOf(call, at);
        if (failure === undefined || failsOpen(at, context.file)) return;
        context.report({
          range: rangeInDocument(at, call.range),
          message: `${failure}, which is an error; test it first`,
        });
      },
    },
  },
};
