import type { Unsupported } from './condition.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { type PlannedRule, type UnsupportedConstruct, unsupportedIn } from './lower-policy.ts';

/** Returns the first construct that a target refuses: `refusal` says what a leaf needs that the target lacks. */
export function findUnsupported(
  rules: readonly PlannedRule[],
  refusal: (leaf: Leaf) => Unsupported | undefined,
): UnsupportedConstruct | undefined {
  for (const { rule, action, conditions, when } of rules) {
    for (const [at, condition] of conditions.entries())
      for (const leaf of leavesOf(condition)) {
        const found = refusal(leaf);
        if (found !== undefined) return unsupportedIn(rule, rule.expressions[at], found);
      }
    for (const leaf of when === undefined ? [] : leavesOf(when)) {
      const found = refusal(leaf);
      if (found !== undefined) return unsupportedIn(rule, undefined, { ...found, range: action.type.range });
    }
  }
  return undefined;
}
