import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import { actionNode } from '../../actions/action-node.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `config: {}`. */
export const CONFIG_NULL_VS_MISSING: LintRule = {
  id: 'doc/config-null-vs-missing',
  severity: 'info',
  summary: 'a configuration that says nothing',
  rationale:
    'An empty map, nothing at all and a `config` that is left out mean the same. One spelling of it keeps policies comparable with each ' +
    'other and with what the service gives back.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions:
      - type: deny
        «config»: {}
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
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
        message: 'the configuration says nothing, which means the same as leaving it out',
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
  return edit ? [{ title: 'leave `config` out', applicability: 'safe', edits: [edit] }] : [];
}
