import type { ValueRole } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { isRedirect } from '../../../actions/action-parts.ts';
import { placeIn, type Reference, type Replacement } from '../../../actions/replacements.ts';
import { replacementOf } from '../../../analyses/file/url-replacements.ts';
import { BEFORE_HOST, isAtHost } from '../../../analyses/urls/redirect-host.ts';
import { originsIn } from '../../../expressions/value-origin.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOf } from '../../../rule-api/linted-expression.ts';

/** What the client chooses freely. */
const CHOSEN: ReadonlySet<ValueRole> = new Set(['query-parameters', 'request-headers', 'request-cookies', 'query']);

/** `to: https://$arg_next`. */
export const OPEN_REDIRECT: LintRule = {
  id: 'url/open-redirect',
  severity: 'warning',
  summary: 'a redirect to wherever the client says',
  rationale:
    'A link to your site that leads to any other is what those who fish for passwords want: it looks like yours, and ends on theirs. ' +
    'The host of a redirect is written in the policy, or chosen from a list of it.',
  bad: {
    policy: `\
inbound:
  - name: back to where they came from
    expressions: ["req.Path == '/signed-in'"]
    actions: [{ type: redirect, config: { from: "^.*$", to: "https://«$arg_next»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: back to where they came from
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
      const reference = replacement?.references.find(one => isHost(one, replacement));
      if (reference) report(placeIn(replacement!.to, reference.range), `$${reference.name}`, context);
    },
    expression: (at, context) => {
      if (at.role !== 'interpolation' || !isAtHost(at)) return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles)) {
        if (CHOSEN.has(origin.role ?? 'status')) report(placeOf(at, node.range), origin.path, context);
      }
    },
  },
};

function report(range: Range, name: string, context: LintContext): void {
  const message = `\`${name}\` is what the client chooses, and becomes the host of this redirect; write the host before it`;
  context.report({ range, message, args: { found: name } });
}

/** The reference stands where the host is, and holds what comes from a parameter, or from behind the host of the URL. */
function isHost({ name, range, kind }: Reference, { to, from, tree }: Replacement): boolean {
  if (!BEFORE_HOST.test(to.value.slice(0, range.start))) return false;
  if (kind === 'variable') return name.startsWith('arg_') || name === 'args' || name === 'query_string';
  const group = /^\d+$/.test(name) ? tree?.groups[Number(name) - 1] : undefined;
  return group !== undefined && isBehindHost(from!.value.slice(0, group.start));
}

/** After the scheme and the host; a group before is of the host that was asked for. */
function isBehindHost(pattern: string): boolean {
  const [, rest] = pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, 'x').split('://');
  return rest?.includes('/') ?? false;
}
