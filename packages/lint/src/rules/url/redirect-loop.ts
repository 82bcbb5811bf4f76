import { replacementOf, urlsFrom } from '../../analyses/url-walk.ts';
import { isRedirect } from '../../readers/actions.ts';
import { placeIn } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Browsers give up after about 20 redirects. A chain that reaches this many different URLs is endless. */
const STEPS = 25;

/** Reports `from: ^(.*)/shop`, `to: $1/shop/new`. */
export const REDIRECT_LOOP: LintRule = {
  id: 'url/redirect-loop',
  severity: 'error',
  summary: 'redirect that applies to its own target',
  rationale:
    'The client follows the redirect, and the rule is evaluated again for the new URL. If the rule matches and changes it again, the ' +
    'client follows redirects until it gives up, and the page is never shown.',
  bad: {
    policy: `\
inbound:
  - name: move the shop
    expressions: ["req.Path.startsWith('/shop/')"]
    actions: [{ type: redirect, config: { from: "^(https?://[^/?]+)/shop/", to: "«$1/shop/new/»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move the shop
    expressions: ["req.Path.startsWith('/shop/')", "!req.Path.startsWith('/shop/new/')"]
    actions: [{ type: redirect, config: { from: "^(https?://[^/?]+)/shop/", to: "$1/shop/new/" } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, place, context) => {
      const replacement = isRedirect(action) ? replacementOf(action, context.file) : undefined;
      const urls = replacement && urlsFrom(replacement, place, { steps: STEPS, context });
      if (!urls || urls.length <= STEPS) return;
      context.report({
        range: placeIn(replacement!.to, { start: 0, end: replacement!.to.value.length }),
        message: `endless redirect: \`${urls[0]}\` leads to \`${urls[1]}\` and then \`${urls[2]}\`; exclude the target in a condition`,
        args: { witness: urls.slice(0, 3) },
      });
    },
  },
};
