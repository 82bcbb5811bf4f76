import { replacementOf, urlsFrom } from '../../analyses/url-walk.ts';
import { isRedirect } from '../../readers/actions.ts';
import { placeIn } from '../../readers/replacements.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `from: ^(.*)/api`, `to: $1/api/v1`. */
export const REWRITE_LOOP: LintRule = {
  id: 'url/rewrite-loop',
  severity: 'info',
  summary: 'rewrite that applies to its own result',
  rationale:
    'A request may pass the same rules twice, for example through two edges in a row or because the client learned the new URL. A ' +
    'rewrite that also matches its own result then adds its part again.',
  bad: {
    policy: `\
inbound:
  - name: default to API version 1
    expressions: ["req.Path.startsWith('/api/')"]
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/api/", to: "«$1/api/v1/»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: default to API version 1
    expressions: ["req.Path.startsWith('/api/')", "!req.Path.startsWith('/api/v1/')"]
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/api/", to: "$1/api/v1/" } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  check: {
    action: (action, place, context) => {
      const replacement = isRedirect(action) ? undefined : replacementOf(action, context.file);
      const urls = replacement && urlsFrom(replacement, place, { steps: 2, context });
      if (urls?.length !== 3) return;
      context.report({
        range: placeIn(replacement!.to, { start: 0, end: replacement!.to.value.length }),
        message: `\`${urls[0]}\` becomes \`${urls[1]}\`, and \`${urls[2]}\` the next time; exclude rewritten URLs in a condition`,
        args: { witness: urls },
      });
    },
  },
};
