import type { Fix } from '@tollgate/diagnostics';
import { type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import { headersOf } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `{ X-A: 1, x-a: 2 }`. */
export const DUPLICATE_CASE: LintRule = {
  id: 'header/duplicate-case',
  severity: 'warning',
  summary: 'header set twice under names that differ only in case',
  rationale:
    'Header names are case-insensitive. Two keys that differ only in case set the same header twice, in an order that is not defined.',
  bad: {
    policy: `\
inbound:
  - name: mark requests
    actions: [{ type: add-headers, config: { headers: { X-Mark: "1", «x-mark»: "2" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: mark requests
    actions: [{ type: add-headers, config: { headers: { X-Mark: "1, 2" } } }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const headers = headersOf(action);
      const entries = headers?.entries ?? [];
      for (const [index, { key, keyRange }] of entries.entries()) {
        const first = entries.slice(0, index).find(earlier => earlier.key.toLowerCase() === key.toLowerCase());
        if (!first) continue;
        context.report({
          range: keyRange,
          message: `\`${key}\` is the same header as \`${first.key}\`; set it once`,
          args: { header: key, first: first.key },
          related: [{ range: first.keyRange, message: 'already set here' }],
          fixes: removal(context.file.source.text, headers!, entries[index]!),
        });
      }
    },
  },
};

/** Removes the later entry. Unsafe, because it is not defined which of the two the edge uses. */
function removal(document: string, headers: MapNode, entry: MapEntryNode): readonly Fix[] {
  const [edit] = removeEntries(document, headers, [entry]);
  return edit ? [{ title: `remove \`${entry.key}\``, applicability: 'unsafe', edits: [edit] }] : [];
}
