import type { Fix } from '@tollgate/diagnostics';
import { type MapEntryNode, type Policy, removeEntries } from '@tollgate/policy';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `inbound: []`. */
export const EMPTY_PHASE: LintRule = {
  id: 'doc/empty-phase',
  severity: 'info',
  summary: 'a phase without rules',
  rationale:
    'An empty list, nothing at all and a phase that is left out mean the same. The service stores one of them and gives it back, so ' +
    'that the others show as a difference whenever the policy is compared with what is published.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
«outbound»: []
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    policy: (policy, context) => {
      const { phases } = context.file.profile;
      for (const entry of policy.node.entries) {
        if (phases.some(phase => phase === entry.key) && isEmpty(entry)) report(policy, entry, context);
      }
    },
  },
};

function isEmpty({ value }: MapEntryNode): boolean {
  return value.kind === 'list' ? value.items.length === 0 : value.kind === 'scalar' && value.value === null;
}

function report(policy: Policy, entry: MapEntryNode, context: LintContext): void {
  context.report({
    range: entry.keyRange,
    message: `\`${entry.key}\` has no rules, which means the same as leaving it out`,
    args: { phase: entry.key },
    fixes: fixesFor(policy, entry, context.file.source.text),
    tags: ['unnecessary'],
  });
}

/** A policy of nothing else would become an empty document, which is no policy. */
function fixesFor({ node }: Policy, entry: MapEntryNode, text: string): readonly Fix[] {
  if (node.entries.length === 1) return [];
  const [edit] = removeEntries(text, node, [entry]);
  return edit ? [{ title: `leave \`${entry.key}\` out`, applicability: 'safe', edits: [edit] }] : [];
}
