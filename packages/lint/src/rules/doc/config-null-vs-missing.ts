import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import { actionNode } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `config: {}`. */
export const CONFIG_NULL_VS_MISSING: LintRule = {
  id: 'doc/config-null-vs-missing',
  severity: 'info',
  summary: 'empty action configuration',
  rationale:
    'An empty `config`, a null one and a missing one mean the same. Using only one form keeps policies easy to compare with each other ' +
    'and with what the service returns.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions:
      - type: deny
        «config»: {}
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions:
      - type: deny
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    action: (action, place, context) => {
      const map = actionNode(action, place);
      const entry = map && entryOf(map, 'config');
      if (!map || !entry || !isEmpty(entry)) return;
      context.report({
        range: entry.keyRange,
        message: '`config` is empty, which is the same as having none; remove it',
        fixes: fixesFor(map, entry, context),
        tags: ['unnecessary'],
      });
    },
  },
};

function isEmpty({ value }: MapEntryNode): boolean {
  return value.kind === 'map' ? value.entries.length === 0 : value.kind === 'scalar' && value.value === null;
}

function fixesFor(map: MapNode, entry: MapEntryNode, { file }: LintContext): readonly Fix[] {
  const [edit] = removeEntries(file.source.text, map, [entry]);
  return edit ? [{ title: 'remove `config`', applicability: 'safe', edits: [edit] }] : [];
}
