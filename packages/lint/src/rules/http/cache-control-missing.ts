import { entryOfRole, headerOf, headersOf, isAnswer, statusOf } from '../../actions/action-parts.ts';
import { addHeaderFixes } from '../../fixes/add-header.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Errors and moves that caches keep without being told to (RFC 9110, section 15.1). */
const KEPT: ReadonlySet<number> = new Set([301, 308, 404, 405, 410, 414, 501]);

/** `custom-response` with `status_code: 404` and no Cache-Control. */
export const CACHE_CONTROL_MISSING: LintRule = {
  id: 'http/cache-control-missing',
  severity: 'info',
  summary: 'an error that caches may keep',
  rationale:
    'Caches may keep a 404, 410 or 301 for as long as they see fit when nothing says otherwise. A rule that gives one to some clients ' +
    'only, or for a while, then has an effect on others, and after it is gone.',
  bad: {
    policy: `\
inbound:
  - name: not for everybody
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', '2001:db8:7::/48'])"]
    actions: [{ type: custom-response, config: { status_code: «404», content: not found } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: not for everybody
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
      if (!isAnswer(action) || !entry || !KEPT.has(status)) return;
      if (headerOf(headers, 'cache-control') || headerOf(headers, 'expires')) return;
      context.report({
        range: entry.value.range,
        message: `caches may keep a response with status ${status}; say whether they may in \`Cache-Control\`, such as \`no-store\``,
        args: { status },
        fixes: addHeaderFixes(action, { name: 'Cache-Control', value: 'no-store' }, context),
      });
    },
  },
};
