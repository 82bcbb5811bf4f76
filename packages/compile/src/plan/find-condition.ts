import type { Condition, Unsupported } from './condition.ts';
import { type PlannedRule, type UnsupportedConstruct, unsupportedIn } from './lower-policy.ts';

/** Returns the first condition of which `refusal` returns what it lacks. */
export function findUnsupported(
  rules: readonly PlannedRule[],
  refusal: (condition: Condition) => Unsupported | undefined,
): UnsupportedConstruct | undefined {
  for (const { rule, conditions } of rules)
    for (const [at, condition] of conditions.entries()) {
      const found = firstRefusal(condition, refusal);
      if (found !== undefined) return unsupportedIn(rule, rule.expressions[at]!, found);
    }
  return undefined;
}

function firstRefusal(
  condition: Condition,
  refusal: (condition: Condition) => Unsupported | undefined,
): Unsupported | undefined {
  for (const part of partsOf(condition)) {
    const found = firstRefusal(part, refusal);
    if (found !== undefined) return found;
  }
  return refusal(condition);
}

function partsOf(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts;
    case 'not':
      return [condition.part];
    case 'choice':
      return [condition.test, condition.yes, condition.no];
    default:
      return [];
  }
}
