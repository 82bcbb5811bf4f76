import type { ValueRole } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { BEFORE_HOST, isAtHost, replacementOf } from '../../analyses/url-walk.ts';
import { isRedirect } from '../../readers/actions.ts';
import { placeIn, type Reference, type Replacement } from '../../readers/replacements.ts';
import { originsIn } from '../../readers/value-origin.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Inputs that the client chooses freely. */
const CHOSEN: ReadonlySet<ValueRole> = new Set(['query-parameters', 'request-headers', 'request-cookies', 'query']);

/** Reports `to: https://$arg_next`. */
export const OPEN_REDIRECT: LintRule = {
  id: 'url/open-redirect',
  severity: 'warning',
  summary: 'redirect to a host that the client chooses',
  rationale:
    "A link to your site that redirects anywhere is ideal for phishing: it looks like your site and leads to the attacker's. Write the " +
    'host of a redirect in the policy, or select it from a list.',
  bad: {
    policy: `\
inbound:
  - name: return after sign-in
    expressions: ["req.Path == '/signed-in'"]
    actions: [{ type: redirect, config: { from: "^.*$", to: "https://«$arg_next»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: return after sign-in
    expressions: ["req.Path == '/signed-in'"]
    actions: [{ type: redirect, config: { from: "^.*$", to: "https://app.example.com/$arg_next" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      const replacement = isRedirect(action) ? replacementOf(action, context.file) : undefined;
      const reference = replacement?.references.find(candidate => isHost(candidate, replacement));
      if (reference) report(placeIn(replacement!.to, reference.range), `$${reference.name}`, context);
    },
    expression: (at, context) => {
      if (at.role !== 'interpolation' || !isAtHost(at)) return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles)) {
        if (CHOSEN.has(origin.role ?? 'status')) report(rangeInDocument(at, node.range), origin.path, context);
      }
    },
  },
};

function report(range: Range, name: string, context: LintContext): void {
  const message = `client chooses the redirect host with \`${name}\`; write a fixed host before it`;
  context.report({ range, message, args: { found: name } });
}

/** True for a reference in the position of the host that inserts a parameter, or a part of the URL after its host. */
function isHost({ name, range, kind }: Reference, { to, from, tree }: Replacement): boolean {
  if (!BEFORE_HOST.test(to.value.slice(0, range.start))) return false;
  if (kind === 'variable') return name.startsWith('arg_') || name === 'args' || name === 'query_string';
  const group = /^\d+$/.test(name) ? tree?.groups[Number(name) - 1] : undefined;
  return group !== undefined && isAfterHost(from!.value.slice(0, group.start));
}

/** True if the pattern so far includes scheme and host; a group before that captures the requested host. */
function isAfterHost(pattern: string): boolean {
  const [, rest] = pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, 'x').split('://');
  return rest?.includes('/') ?? false;
}
