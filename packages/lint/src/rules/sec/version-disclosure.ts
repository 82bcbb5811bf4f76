import type { Fix } from '@tollgate/diagnostics';
import { type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import { headersOf, isAnswer, stringOf } from '../../readers/actions.ts';
import { VERSION_HEADERS } from '../../readers/http-names.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `Server: nginx/1.25.3`. */
export const VERSION_DISCLOSURE: LintRule = {
  id: 'sec/version-disclosure',
  severity: 'info',
  summary: 'response header that discloses software or its version',
  rationale:
    'Attackers scan for servers with known vulnerabilities by name and version. Clients do not need this information.',
  bad: {
    policy: `\
outbound:
  - name: set response headers
    actions: [{ type: add-headers, config: { headers: { «X-Powered-By»: shop/4.2 } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: set response headers
    actions: [{ type: remove-headers, config: { headers: [Server, X-Powered-By] } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    action: (action, { rule }, context) => {
      if (!isAnswer(action) && !isResponsePhase(context.file.profile, rule.phase)) return;
      const headers = headersOf(action);
      for (const entry of headers?.entries ?? []) {
        const { key, keyRange, value } = entry;
        const text = stringOf(value)?.value;
        if (!VERSION_HEADERS.has(key.toLowerCase()) || !text) continue;
        context.report({
          range: keyRange,
          message: `\`${key}: ${text}\` discloses the server software; do not set it, or remove the header`,
          args: { header: key, found: text },
          fixes: removal(context.file.source.text, headers!, entry),
        });
      }
    },
  },
};

function removal(document: string, headers: MapNode, entry: MapEntryNode): readonly Fix[] {
  // Without any header left, the action would do nothing.
  const [edit] = headers.entries.length > 1 ? removeEntries(document, headers, [entry]) : [];
  return edit ? [{ title: `remove \`${entry.key}\``, applicability: 'suggestion', edits: [edit] }] : [];
}
