import { entryOfRole, headerOf, headersOf, isAnswer, statusOf } from '../../actions/action-parts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Those that tell where to go instead (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** `custom-response` with `status_code: 302` alone. */
export const REDIRECT_WITHOUT_LOCATION: LintRule = {
  id: 'http/redirect-without-location',
  severity: 'error',
  summary: 'a redirect that leads nowhere',
  rationale:
    'A browser follows a redirect to what the Location header names, and shows an empty page when there is none.',
  bad: {
    policy: `\
inbound:
  - name: the shop has moved
    actions: [{ type: custom-response, config: { status_code: «302», content: the shop has moved } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the shop has moved
    actions: [{ type: custom-response, config: { status_code: 302, headers: { Location: "https://shop.example.com/" } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const status = statusOf(action) ?? 0;
      const entry = entryOfRole(action, 'status');
      if (!isAnswer(action) || !entry || !REDIRECTS.has(status) || headerOf(headersOf(action), 'location')) return;
      context.report({
        range: entry.value.range,
        message: `status ${status} without a Location header leads nowhere; add one to \`headers\`, or use the action \`redirect\``,
        args: { status },
      });
    },
  },
};
