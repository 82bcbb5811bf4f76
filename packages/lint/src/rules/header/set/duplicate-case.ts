import type { Fix } from '@tollgate/diagnostics';
import { type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import { headersOf } from '../../../actions/action-parts.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** `{ X-A: 1, x-a: 2 }`. */
export const DUPLICATE_CASE: LintRule = {
  id: 'header/duplicate-case',
  severity: 'warning',
  summary: 'a header that is set twice, in different letters',
  rationale:
    'Names of headers are the same in any case. Two keys of a map that differ in case only set one header twice, in no order that ' +
    'can be relied on.',
  bad: {
    policy: `\
inbound:
  - name: marks
    actions: [{ type: add-headers, config: { headers: { X-Mark: "1", «x-mark»: "2" } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: marks
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
        const first = entries.slice(0, index).find(one => one.key.toLowerCase() === key.toLowerCase());
        if (!first) continue;
        context.report({
          range: keyRange,
          message: `\`${key}\` is the same header as \`${first.key}\`; write it once`,
          args: { header: key, first: first.key },
          related: [{ range: first.keyRange, message: 'set here already' }],
          fixes: removal(context.file.source.text, headers!, entries[index]!),
        });
      }
    },
  },
};

/** Which of the two the edge would take, nobody says. */
function removal(document: string, headers: MapNode, entry: MapEntryNode): readonly Fix[] {
  const [edit] = removeEntries(document, headers, [entry]);
  return edit ? [{ title: `leave \`${entry.key}\` out`, applicability: 'unsafe', edits: [edit] }] : [];
}
