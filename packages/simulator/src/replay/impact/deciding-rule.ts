import type { Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Verdict } from '../../decision/verdict.ts';

/** Returns the position of the rule that caused the only outcome of a verdict; undefined if no rule did. */
export type RuleOf = (verdict: Verdict) => number | undefined;

/** Returns a function that finds the rule that caused the outcome of a verdict: the last one with the action that did. */
export function decidingRuleOf(policy: Policy, profile: Profile): RuleOf {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const actions = rules.map(rule => new Set(rule.actions.map(({ type }) => type.value)));
  const find = ({ outcomes: [outcome], hits }: Verdict) => {
    if (outcome?.kind === 'failed' && outcome.action === undefined)
      return hits.findLast(({ result }) => result.status === 'failed')?.rule;
    if (outcome?.action === undefined) return undefined;
    return hits.findLast(({ rule, result }) => result.status !== 'failed' && actions[rule]!.has(outcome.action!))?.rule;
  };
  const known = new WeakMap<Verdict, { readonly rule: number | undefined }>();
  return verdict => {
    const found = known.get(verdict) ?? { rule: find(verdict) };
    known.set(verdict, found);
    return found.rule;
  };
}
