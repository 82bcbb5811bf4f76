import { isRedirect } from '../../../actions/action-parts.ts';
import { placeIn } from '../../../actions/replacements.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import { urlsFrom } from '../../../analyses/urls/url-walk.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** Browsers give up after about twenty; what has not ended after so many different ones does not end. */
const STEPS = 25;

/** `from: ^(.*)/shop`, `to: $1/shop/new`. */
export const REDIRECT_LOOP: LintRule = {
  id: 'url/redirect-loop',
  severity: 'error',
  summary: 'a redirect to where the same redirect applies again',
  rationale:
    'A client follows a redirect, and the rule runs anew for the URL that it comes with. Where it applies to that as well, and changes ' +
    'it again, the client goes round until it gives up, and nobody sees the page.',
  bad: {
    policy: `\
inbound:
  - name: the shop has moved
    expressions: ["req.Path.startsWith('/shop/')"]
    actions: [{ type: redirect, config: { from: "^(https?://[^/?]+)/shop/", to: "«$1/shop/new/»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the shop has moved
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
        message: `\`${urls[0]}\` leads to \`${urls[1]}\`, that to \`${urls[2]}\`, and so on without end; let a condition leave out where it leads to`,
        args: { witness: urls.slice(0, 3) },
      });
    },
  },
};
