import type { Profile } from '@tollgate/catalog';
import type { Policy, Rule } from '@tollgate/policy';
import type { Verdict } from '../../decision/verdict.ts';

/** What a comparison knows of the rules of a policy. */
export interface ComparedRules {
  /** Returns the position of the rule that caused the only outcome of a verdict, the last one with the action that did; undefined if no rule did. */
  readonly ruleOf: (verdict: Verdict) => number | undefined;
  /**
   * Returns what a verdict depends on: the rules that matched, failed or are undetermined. Other rules have no effect. If they are the same in
   * both policies, so is the outcome, even where it is undetermined: whatever it is that is not recorded, it is the same.
   */
  readonly keyOf: (verdict: Verdict) => string;
}

/** Prepares to compare a policy with another. */
export function comparedRules(policy: Policy, profile: Profile): ComparedRules {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const actions = rules.map(rule => new Set(rule.actions.map(({ type }) => type.value)));
  const context = JSON.stringify([profile.name, profile.switches]);
  const keys = rules.map(ruleKey);
  const find = ({ outcomes: [outcome], hits }: Verdict) => {
    if (outcome?.kind === 'failed' && outcome.action === undefined)
      return hits.findLast(({ result }) => result.status === 'failed')?.rule;
    if (outcome?.action === undefined) return undefined;
    return hits.findLast(({ rule, result }) => result.status !== 'failed' && actions[rule]!.has(outcome.action!))?.rule;
  };
  return {
    ruleOf: remembered(find),
    keyOf: remembered(({ hits }) =>
      [context, ...hits.map(({ rule, result }) => `${result.status} ${keys[rule]}`)].join('\n'),
    ),
  };
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

function ruleKey({ phase, expressions, actions }: Rule): string {
  const [conditions, effects] = [
    expressions.map(({ source }) => source),
    actions.map(one => [one.type.value, one.config]),
  ];
  return JSON.stringify([phase, conditions, effects]);
}
