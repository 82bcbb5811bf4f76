import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `&shared` when `*shared` uses it. */
export const ALIAS: LintRule = {
  id: 'doc/alias',
  severity: 'off',
  summary: 'value repeated with YAML aliases',
  rationale:
    'Anchors and aliases exist only in the YAML file: the published policy contains a full copy for each alias. A reader of the ' +
    'published policy cannot see that the copies belong together, and JSON has no equivalent.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: &refuse «[{ type: deny, config: { status_code: 405 } }]»
  - name: no CONNECT
    expressions: ["req.Method == 'CONNECT'"]
    actions: *refuse
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE or CONNECT
    expressions: ["req.Method in ['TRACE', 'CONNECT']"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    policy: ({ node }, context) => {
      for (const { range, count } of repeated(node)) {
        const message = `this value is used ${count} times and is published as ${count} copies; share one rule, or write out each copy`;
        context.report({ range, message, args: { count } });
      }
    },
  },
};

/** Lists the values that occur more than once. An aliased value has the range of its anchor; values inside it are not listed. */
function repeated(root: DocumentNode): readonly { readonly range: Range; readonly count: number }[] {
  const counts = new Map<string, { range: Range; count: number }>();
  const visit = (node: DocumentNode): void => {
    const key = `${node.range.start} ${node.range.end} ${node.kind}`;
    const known = counts.get(key);
    if (known && node.range.end > node.range.start) {
      known.count += 1;
      return;
    }
    counts.set(key, { range: node.range, count: 1 });
    if (node.kind === 'list') for (const item of node.items) visit(item);
    if (node.kind === 'map') for (const { value } of node.entries) visit(value);
  };
  visit(root);
  return [...counts.values()].filter(({ count }) => count > 1);
}
