import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `actions: *shared`. */
export const ALIAS: LintRule = {
  id: 'doc/alias',
  severity: 'off',
  summary: 'a part of the document that is used in several places',
  rationale:
    'Anchors exist in the file only: what is published has the part everywhere it is used. Whoever reads the policy at the service, or ' +
    'compares it with the file, does not see that the copies belong together; JSON has nothing like it.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: &refuse «[{ type: deny, config: { status_code: 405 } }]»
  - name: no connect
    expressions: ["req.Method == 'CONNECT'"]
    actions: *refuse
`,
  },
  good: {
    policy: `\
inbound:
  - name: no tunnels
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
        const message = `this part is used in ${count} places, and will be published as so many copies`;
        context.report({ range, message, args: { count } });
      }
    },
  },
};

/** Values behind an alias stand where their anchor does: they are met twice. What is inside of such a value is not listed. */
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
  return [...counts.values()].filter(one => one.count > 1);
}
