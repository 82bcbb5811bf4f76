import type { Fix } from '@tollgate/diagnostics';
import { type Action, entryOf, type Policy, type Rule } from '@tollgate/policy';
import { actionNode, ruleNode } from '../../actions/action-node.ts';
import { takesRole } from '../../actions/action-parts.ts';
import { moveItem } from '../../fixes/move-item.ts';
import type { ActionPlace } from '../../rule-api/config-text.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `rate-limit` behind `jwt-validation`. */
export const AFTER_EXPENSIVE_ACTION: LintRule = {
  id: 'rate/after-expensive-action',
  severity: 'info',
  summary: 'a limit behind the work that it should spare',
  rationale:
    'A limit refuses what is too much. Behind an action that checks signatures or asks another server, that work is done for every ' +
    'request all the same, for those that are refused as well.',
  bad: {
    policy: `\
on_http_request:
  - name: signed calls
    actions:
      - type: verify-webhook
        config: { provider: github, secret: "\${secrets.get('hooks', 'github')}" }
      - type: «rate-limit»
        config: { name: per client, capacity: 30, rate: 60s, bucket_key: [conn.client_ip] }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: signed calls
    actions:
      - type: rate-limit
        config: { name: per client, capacity: 30, rate: 60s, bucket_key: [conn.client_ip] }
      - type: verify-webhook
        config: { provider: github, secret: "\${secrets.get('hooks', 'github')}" }
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: {
    action: (action, { policy, rule, index }, context) => {
      if (!takesRole(action, 'bucket-key') || readsResults(action)) return;
      const before = heavyBefore(policy, rule, index);
      if (!before) return;
      context.report({
        range: action.type.range,
        message: `\`${before.type.value}\` has run before this limit refuses; put the limit before it`,
        args: { before: before.type.value },
        fixes: movingBefore(action, before, { place: { policy, rule, index }, document: context.file.source.text }),
        related: [{ range: before.type.range, message: 'runs for every request' }],
      });
    },
  },
};

/** Counting by what an action has found out takes that action before it. */
function readsResults(action: Action): boolean {
  return JSON.stringify(action.config).includes('actions.');
}

/** Of this rule, and of those before it that run for every request. */
function heavyBefore(policy: Policy, rule: Rule, index: number): Action | undefined {
  const always = policy.rules[rule.phase].slice(0, rule.index).filter(one => one.expressions.length === 0);
  return [...always.flatMap(one => one.actions), ...rule.actions.slice(0, index)].find(one => one.fact?.isHeavy);
}

/** Within a rule; between rules it may be the conditions that are meant. */
function movingBefore(
  action: Action,
  before: Action,
  { place, document }: { readonly place: ActionPlace; readonly document: string },
): readonly Fix[] {
  const list = entryOf(ruleNode(place.rule, place.policy)!, 'actions')?.value;
  const [item, to] = [action, before].map(one => actionNode(one, place));
  if (list?.kind !== 'list' || !item || !to) return [];
  const edits = moveItem(document, list, { item, to, where: 'before' });
  return edits ? [{ title: `move it before \`${before.type.value}\``, applicability: 'unsafe', edits }] : [];
}
