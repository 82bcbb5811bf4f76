import type { Rule } from '@tollgate/policy';
import { type ActionReplacement, replacementOf, takenUrl } from '../../analyses/url-walk.ts';
import { isRedirect, nameOfRule, rangeOfRule } from '../../readers/actions.ts';
import { placeIn } from '../../readers/replacements.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** At most this many earlier replacements are compared with a later one, which keeps the cost linear. */
const MAX_COMPARED = 16;

/** Reports a redirect of `/shop/old/` after one of `/shop/`. */
export const REPLACED_EARLIER: LintRule = {
  id: 'url/replaced-earlier',
  severity: 'warning',
  summary: 'redirect or rewrite of URLs that an earlier one takes',
  rationale:
    'Rules run in order. If an earlier redirect or rewrite already applies to all URLs that a later one is for, the later one never sees ' +
    'them as they were. Put the more specific one first.',
  bad: {
    policy: `\
inbound:
  - name: the shop has moved
    actions: [{ type: redirect, config: { from: "^(https?://[^/?]+)/shop/", to: $1/store/ } }]
  - name: old products
    actions: [{ type: redirect, config: { from: "«^(https?://[^/?]+)/shop/old/»", to: $1/archive/ } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: old products
    actions: [{ type: redirect, config: { from: "^(https?://[^/?]+)/shop/old/", to: $1/archive/ } }]
  - name: the shop has moved
    actions: [{ type: redirect, config: { from: "^(https?://[^/?]+)/shop/", to: $1/store/ } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases) checkRules(policy.rules[phase], context);
    },
  },
};

function checkRules(rules: readonly Rule[], context: LintContext): void {
  const all = rules.flatMap(rule =>
    rule.actions.flatMap((action): readonly ActionReplacement[] => {
      const replacement = replacementOf(action, context.file);
      return replacement?.from ? [{ rule, replacement, ends: isRedirect(action) }] : [];
    }),
  );
  for (const [index, later] of all.entries()) {
    const before = all.slice(Math.max(0, index - MAX_COMPARED), index).filter(({ rule }) => rule !== later.rule);
    for (const earlier of before) {
      const taken = takenUrl(earlier, later, context);
      if (!taken) continue;
      report(earlier, later, taken, context);
      break;
    }
  }
}

function report(
  earlier: ActionReplacement,
  { replacement }: ActionReplacement,
  { url, becomes }: { readonly url: string; readonly becomes: string },
  context: LintContext,
): void {
  const from = replacement.from!;
  const what = earlier.ends ? `redirects \`${url}\` to \`${becomes}\`` : `makes \`${url}\` into \`${becomes}\``;
  context.report({
    range: placeIn(from, { start: 0, end: from.value.length }),
    message: `${nameOfRule(earlier.rule)} ${what} before this applies; move this rule before it`,
    args: { url, becomes },
    related: [{ range: rangeOfRule(earlier.rule, context.file.source.text), message: 'URL is replaced here' }],
  });
}
