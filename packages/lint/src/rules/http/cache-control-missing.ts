import { entryOfRole, headerOf, headersOf, isAnswer, statusOf } from '../../readers/actions.ts';
import { addHeaderFixes } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Statuses of errors and redirects that caches may store by default (RFC 9110, section 15.1). */
const CACHEABLE: ReadonlySet<number> = new Set([301, 308, 404, 405, 410, 414, 501]);

/** Reports `custom-response` with `status_code: 404` and no Cache-Control. */
export const CACHE_CONTROL_MISSING: LintRule = {
  id: 'http/cache-control-missing',
  severity: 'info',
  summary: 'cacheable response without `Cache-Control`',
  rationale:
    'Without other instructions, caches may store a 404, 410 or 301 for as long as they like. A response that a rule meant for some ' +
    'clients, or for a short time, then also reaches others, even after the rule is gone.',
  bad: {
    policy: `\
inbound:
  - name: hidden outside the office
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', '2001:db8:7::/48'])"]
    actions: [{ type: custom-response, config: { status_code: «404», content: not found } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: hidden outside the office
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', '2001:db8:7::/48'])"]
    actions:
      - type: custom-response
        config: { status_code: 404, content: not found, headers: { Cache-Control: no-store } }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['strict'],
  check: {
    action: (action, _, context) => {
      const status = statusOf(action) ?? 0;
      const entry = entryOfRole(action, 'status');
      const headers = headersOf(action);
      if (!isAnswer(action) || !entry || !CACHEABLE.has(status)) return;
      if (headerOf(headers, 'cache-control') || headerOf(headers, 'expires')) return;
      context.report({
        range: entry.value.range,
        message: `caches may store a response with status ${status}; set \`Cache-Control\`, for example to \`no-store\``,
        args: { status },
        fixes: addHeaderFixes(action, { name: 'Cache-Control', value: 'no-store' }, context),
      });
    },
  },
};
