import { entryOfRole, headerOf, headersOf, isAnswer, statusOf } from '../../readers/actions.ts';
import { addHeaderFixes } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `custom-response` with `status_code: 503` and no Retry-After. */
export const RETRY_AFTER_MISSING: LintRule = {
  id: 'http/retry-after-missing',
  severity: 'info',
  summary: '429 or 503 response without `Retry-After`',
  rationale:
    'Statuses 429 and 503 ask clients to try again later. With a Retry-After header well-behaved clients wait that long and search ' +
    'engines keep the page in their index; without one, many clients retry immediately.',
  bad: {
    policy: `\
inbound:
  - name: closed for maintenance
    actions: [{ type: custom-response, config: { status_code: «503», content: back at noon } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: closed for maintenance
    actions:
      - type: custom-response
        config: { status_code: 503, content: back at noon, headers: { Retry-After: "1800" } }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['strict'],
  check: {
    action: (action, _, context) => {
      const status = statusOf(action);
      const entry = entryOfRole(action, 'status');
      if (!isAnswer(action) || !entry || (status !== 429 && status !== 503)) return;
      if (headerOf(headersOf(action), 'retry-after')) return;
      context.report({
        range: entry.value.range,
        message: `status ${status} does not tell clients when to retry; add \`Retry-After\` in seconds to \`headers\``,
        args: { status },
        fixes: addHeaderFixes(action, { name: 'Retry-After', value: '60' }, context),
      });
    },
  },
};
