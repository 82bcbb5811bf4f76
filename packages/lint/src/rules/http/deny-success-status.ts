import { terminationOf } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { entryOfRole, isAnswer, statusOf } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `deny` with `status_code: 200`. */
export const DENY_SUCCESS_STATUS: LintRule = {
  id: 'http/deny-success-status',
  severity: 'warning',
  summary: '`deny` with a status below 400',
  rationale:
    'Clients, caches and monitoring rely on the status. An empty response with a status below 400 looks like a success, may be cached, ' +
    'and does not count as an error anywhere.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny, config: { status_code: «200» } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const status = statusOf(action);
      const entry = entryOfRole(action, 'status');
      if (terminationOf(action) !== 'always' || isAnswer(action) || !entry || status === undefined || status >= 400)
        return;
      if (isOutOfRange(entry.value.range, context)) return;
      context.report({
        range: entry.value.range,
        message: `\`${action.type.value}\` responds with ${status}, which is not an error; use a status of 400 or above, such as 403`,
        args: { found: status },
      });
    },
  },
};

/** True if the profile does not accept the status, which the analysis has already reported. */
function isOutOfRange({ start }: Range, { file }: LintContext): boolean {
  return file.diagnostics.some(({ code, range }) => code === 'config/out-of-range' && range.start === start);
}
