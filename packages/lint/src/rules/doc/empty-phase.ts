import type { Fix } from '@tollgate/diagnostics';
import { type MapEntryNode, type Policy, removeEntries } from '@tollgate/policy';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `inbound: []`. */
export const EMPTY_PHASE: LintRule = {
  id: 'doc/empty-phase',
  severity: 'info',
  summary: 'phase without rules',
  rationale:
    'An empty phase, a null one and a missing one mean the same. The service stores only one of these forms, so the others appear as a ' +
    'difference whenever the policy is compared with the published one.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
«outbound»: []
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
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
    message: `\`${entry.key}\` has no rules, which is the same as having no such key; remove it`,
    args: { phase: entry.key },
    fixes: fixesFor(policy, entry, context.file.source.text),
    tags: ['unnecessary'],
  });
}

/** Offers no fix for the only key: without it the document would be empty, which is not a policy. */
function fixesFor({ node }: Policy, entry: MapEntryNode, text: string): readonly Fix[] {
  if (node.entries.length === 1) return [];
  const [edit] = removeEntries(text, node, [entry]);
  return edit ? [{ title: `remove \`${entry.key}\``, applicability: 'safe', edits: [edit] }] : [];
}
