import type { Action } from '@tollgate/policy';
import { setsHeader } from '../../analyses/access.ts';
import { headersOf, removedHeadersOf, stringOf, stringsIn } from '../../readers/actions.ts';
import { SECURITY_HEADERS } from '../../readers/http-names.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports the removal of `Content-Security-Policy`. */
export const SECURITY_REMOVED: LintRule = {
  id: 'header/security-removed',
  severity: 'warning',
  summary: 'security response header removed or weakened',
  rationale:
    'Headers such as Strict-Transport-Security and Content-Security-Policy turn on protection in browsers. A policy that removes one, ' +
    'or sets it to a value that allows everything, turns that protection off for every page behind the edge.',
  bad: {
    policy: `\
outbound:
  - name: allow embedding
    actions: [{ type: remove-headers, config: { headers: [«X-Frame-Options»] } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: allow embedding
    actions:
      - { type: remove-headers, config: { headers: [X-Frame-Options] } }
      - { type: add-headers, config: { headers: { X-Frame-Options: SAMEORIGIN } } }
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    action: (action, { rule }, context) => {
      if (isResponsePhase(context.file.profile, rule.phase)) reportRemoved(action, rule.actions, context);
      reportWeak(action, context);
    },
  },
};

/** Ignores headers that the same rule adds again: removing and adding is how a header is replaced. */
function reportRemoved(action: Action, all: readonly Action[], context: LintContext): void {
  for (const { value, place } of stringsIn(removedHeadersOf(action))) {
    const name = value.toLowerCase();
    if (!SECURITY_HEADERS.has(name) || setsHeader(all, name) || setsHeader(all, 'content-security-policy')) continue;
    const message = `removing \`${value}\` turns off browser protection; replace its value instead`;
    context.report({ range: place, message, args: { header: value } });
  }
}

function reportWeak(action: Action, context: LintContext): void {
  for (const { key, value } of headersOf(action)?.entries ?? []) {
    const weak = SECURITY_HEADERS.get(key.toLowerCase());
    const text = stringOf(value);
    if (!text || !weak?.test(text.value)) continue;
    const message =
      key.toLowerCase() === 'strict-transport-security'
        ? `\`${text.value}\` removes HSTS; set at least \`max-age=31536000\``
        : `\`${key}: ${text.value}\` turns off the protection of the header; allow only what is needed`;
    context.report({ range: text.place, message, args: { header: key, found: text.value } });
  }
}
