import { terminationOf } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { entryOfRole, isAnswer, statusOf } from '../../actions/action-parts.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `deny` with `status_code: 200`. */
export const DENY_SUCCESS_STATUS: LintRule = {
  id: 'http/deny-success-status',
  severity: 'warning',
  summary: 'a refusal that says that all went well',
  rationale:
    'Clients, caches and monitoring go by the status: an empty response with one below 400 is taken for a success, is kept by caches, ' +
    'and shows in no graph of errors.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny, config: { status_code: «200» } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
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
      if (isRefused(entry.value.range, context)) return;
      context.report({
        range: entry.value.range,
        message: `\`${action.type.value}\` refuses with ${status}, which stands for no error; use one from 400 on, such as 403`,
        args: { found: status },
      });
    },
  },
};

/** Where the edge takes no such status, the analysis has said so. */
function isRefused({ start }: Range, { file }: LintContext): boolean {
  return file.diagnostics.some(({ code, range }) => code === 'config/out-of-range' && range.start === start);
}
