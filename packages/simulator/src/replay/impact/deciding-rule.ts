import type { Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Verdict } from '../../decision/verdict.ts';

/**
 * Returns a function from verdicts to the position of the rule that caused the only outcome: the last one with the action that did.
 * Undefined if no rule did.
 */
export function decidingRule(policy: Policy, profile: Profile): (verdict: Verdict) => number | undefined {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const actions = rules.map(rule => new Set(rule.actions.map(({ type }) => type.value)));
  return remembered(({ outcomes: [outcome], hits }) => {
    if (outcome?.kind === 'failed' && outcome.action === undefined)
      return hits.findLast(({ result }) => result.status === 'failed')?.rule;
    if (outcome?.action === undefined) return undefined;
    return hits.findLast(({ rule, result }) => result.status !== 'failed' && actions[rule]!.has(outcome.action!))?.rule;
  });
}

/** Exchanges that a policy treats alike share a verdict. */
function remembered<T>(find: (verdict: Verdict) => T): (verdict: Verdict) => T {
  const known = new WeakMap<Verdict, { readonly value: T }>();
  return verdict => {
    const found = known.get(verdict) ?? { value: find(verdict) };
    known.set(verdict, found);
    return found.value;
  };
}
