import type { ActionGroup } from '@tollgate/catalog';
import type { Reporter } from '../document/model/reporter.ts';
import type { Action, Policy } from '../model/policy.ts';

const GROUPS: Readonly<Record<ActionGroup, { readonly what: string; readonly refusal: number }>> = {
  authentication: { what: 'authentication action', refusal: 2239 },
  'ai-gateway': { what: '`ai-gateway`', refusal: 2266 },
};

/** Reports every action after the first in a group of which the service accepts only one per endpoint. */
export function reportConflictingActions({ rules }: Policy, reporter: Reporter): void {
  const first = new Map<ActionGroup, Action>();
  for (const inPhase of Object.values(rules)) {
    for (const { actions } of inPhase) {
      for (const action of actions) {
        const group = action.fact?.onlyOneOf;
        if (group === undefined) continue;
        const before = first.get(group);
        if (before) report(action, before, GROUPS[group], reporter);
        else first.set(group, action);
      }
    }
  }
}

function report(
  { type }: Action,
  before: Action,
  { what, refusal }: { readonly what: string; readonly refusal: number },
  reporter: Reporter,
): void {
  reporter.report({
    code: 'policy/conflicting-actions',
    message: `second ${what} after \`${before.type.value}\`; remove one of them`,
    range: type.range,
    args: { action: type.value, first: before.type.value, refusal },
    related: [{ range: before.type.range, message: 'first one here' }],
  });
}
