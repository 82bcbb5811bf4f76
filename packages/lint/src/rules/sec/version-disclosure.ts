import type { Fix } from '@tollgate/diagnostics';
import { type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import { headersOf, isAnswer, textOf } from '../../actions/action-parts.ts';
import { VERSION_HEADERS } from '../../data/header-names.ts';
import { isResponsePhase } from '../../profile/response-phase.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `Server: nginx/1.25.3`. */
export const VERSION_DISCLOSURE: LintRule = {
  id: 'sec/version-disclosure',
  severity: 'info',
  summary: 'a response that tells what software it comes from',
  rationale:
    'Whoever looks for servers with a known hole asks them for their names and versions. Nobody else needs to know.',
  bad: {
    policy: `\
outbound:
  - name: what runs here
    actions: [{ type: add-headers, config: { headers: { «X-Powered-By»: shop/4.2 } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: what runs here
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
        const text = textOf(value)?.value;
        if (!VERSION_HEADERS.has(key.toLowerCase()) || !text) continue;
        context.report({
          range: keyRange,
          message: `\`${key}: ${text}\` tells everybody what runs here; leave it out, or remove the header`,
          args: { header: key, found: text },
          fixes: removal(context.file.source.text, headers!, entry),
        });
      }
    },
  },
};

function removal(document: string, headers: MapNode, entry: MapEntryNode): readonly Fix[] {
  // An action with no header in it would do nothing.
  const [edit] = headers.entries.length > 1 ? removeEntries(document, headers, [entry]) : [];
  return edit ? [{ title: `leave \`${entry.key}\` out`, applicability: 'suggestion', edits: [edit] }] : [];
}
