import type { Fix } from '@tollgate/diagnostics';
import { type Action, entryOf, type Policy, type Rule } from '@tollgate/policy';
import { actionNode, ruleNode, takesRole } from '../../readers/actions.ts';
import { moveItem } from '../../rule-api/fixes.ts';
import type { ActionLocation } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `rate-limit` after `jwt-validation`. */
export const AFTER_EXPENSIVE_ACTION: LintRule = {
  id: 'rate/after-expensive-action',
  severity: 'info',
  summary: 'rate limit after the expensive action that it should protect',
  rationale:
    'A rate limit rejects excess requests. After an action that verifies signatures or calls another server, that work is done for ' +
    'every request, even for those that are then rejected.',
  bad: {
    policy: `\
on_http_request:
  - name: verify webhooks
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
  - name: verify webhooks
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
      if (!takesRole(action, 'bucket-key') || readsResults(action, rule)) return;
      const expensive = expensiveBefore(policy, rule, index);
      if (!expensive) return;
      context.report({
        range: action.type.range,
        message: `\`${expensive.type.value}\` runs even for requests over the limit; move the limit before it`,
        args: { before: expensive.type.value },
        fixes: movingBefore(action, expensive, { place: { policy, rule, index }, document: context.file.source.text }),
        related: [{ range: expensive.type.range, message: 'runs for every request' }],
      });
    },
  },
};

/** True if the limit counts or applies by what an action found out, which then has to run first. */
function readsResults(action: Action, { expressions }: Rule): boolean {
  return [JSON.stringify(action.config), ...expressions.map(({ source }) => source)].some(text => FOUND_OUT.test(text));
}

const FOUND_OUT = /\b(?:actions|vars)\./;

/** Returns an expensive action of this rule, or of an earlier rule without conditions, that runs before the limit. */
function expensiveBefore(policy: Policy, rule: Rule, index: number): Action | undefined {
  const always = policy.rules[rule.phase].slice(0, rule.index).filter(({ expressions }) => expressions.length === 0);
  return [...always.flatMap(({ actions }) => actions), ...rule.actions.slice(0, index)].find(
    ({ fact }) => fact?.isHeavy,
  );
}

/** Moves the limit within its rule. Moving it to another rule would change the conditions that apply to it. */
function movingBefore(
  action: Action,
  before: Action,
  { place, document }: { readonly place: ActionLocation; readonly document: string },
): readonly Fix[] {
  const list = entryOf(ruleNode(place.rule, place.policy)!, 'actions')?.value;
  const [item, to] = [action, before].map(moved => actionNode(moved, place));
  if (list?.kind !== 'list' || !item || !to) return [];
  const edits = moveItem(document, list, { item, to, where: 'before' });
  return edits ? [{ title: `move it before \`${before.type.value}\``, applicability: 'unsafe', edits }] : [];
}
