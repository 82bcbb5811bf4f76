import type { MapNode } from '@tollgate/policy';
import { actionNode, ruleNode } from '../../facts/action-node.ts';
import type { LintContext } from '../../rule/lint-context.ts';
import type { LintRule } from '../../rule/lint-rule.ts';

/** `actions` before `expressions`. */
export const KEY_ORDER: LintRule = {
  id: 'style/key-order',
  severity: 'info',
  summary: 'keys in another order than usual',
  rationale:
    'A rule reads as a sentence when its name comes first, then when it matches, then what it does. `tollgate fmt` puts keys in that order.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    actions: [{ type: deny }]
    «expressions»: ["req.Method == 'TRACE'"]
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
  fixable: 'no',
  presets: ['style'],
  check: {
    policy: ({ node }, context) => checkOrder(node, ['enabled', ...context.file.profile.phases], context),
    rule: (rule, policy, context) => checkOrder(ruleNode(rule, policy), ['name', 'expressions', 'actions'], context),
    action: (action, place, context) => checkOrder(actionNode(action, place), ['type', 'config'], context),
  },
};

function checkOrder(map: MapNode | undefined, order: readonly string[], context: LintContext): void {
  const known = map?.entries.filter(({ key }) => order.includes(key)) ?? [];
  let last = -1;
  for (const { key, keyRange } of known) {
    const at = order.indexOf(key);
    if (at < last) {
      const message = `\`${key}\` comes before \`${order[last]}\`; \`tollgate fmt\` puts keys in order`;
      context.report({ range: keyRange, message, args: { key } });
    }
    last = Math.max(last, at);
  }
}
