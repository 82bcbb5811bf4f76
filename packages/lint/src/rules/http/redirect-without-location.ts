import { entryOfRole, headerOf, headersOf, isAnswer, statusOf } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Statuses that require a Location header (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Reports `custom-response` with `status_code: 302` and no Location. */
export const REDIRECT_WITHOUT_LOCATION: LintRule = {
  id: 'http/redirect-without-location',
  severity: 'error',
  summary: 'redirect without a `Location` header',
  rationale:
    'A browser follows a redirect to the address in the Location header. Without that header it shows an empty page.',
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
        message: `redirect status ${status} without a \`Location\` header; add it to \`headers\`, or use the action \`redirect\``,
        args: { status },
      });
    },
  },
};
