import { type Formula, not } from './formula.ts';
import { all, any, type Outcomes } from './outcomes.ts';
import { type Model, solve } from './solve.ts';

// An expression that fails does not match: every question is about being true, or about not being true. All answers but
// `possibleModel` are proofs: false means that there is none, or that it was not found within the bound on work.

/** When an expression holds, and when it is false; when neither, it fails. */
export type Condition = Outcomes;

/** Several conditions, all of which must hold. */
export function allOf(conditions: readonly Condition[]): Condition {
  return all(conditions);
}

/** Several conditions, one of which must hold. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return any(conditions);
}

/** It holds for no input. */
export function isUnsatisfiable({ whenTrue }: Condition): boolean {
  return cannotHold([whenTrue]);
}

/** It holds for every input. */
export function isTautology({ whenTrue }: Condition): boolean {
  return cannotHold([not(whenTrue)]);
}

/** It is false for no input: it holds, or fails. */
export function isNeverFalse({ whenFalse }: Condition): boolean {
  return cannotHold([whenFalse]);
}

/** Wherever the first holds, the second does. */
export function implies(a: Condition, b: Condition): boolean {
  return cannotHold([a.whenTrue, not(b.whenTrue)]);
}

/** No input fulfils both. */
export function areDisjoint(a: Condition, b: Condition): boolean {
  return cannotHold([a.whenTrue, b.whenTrue]);
}

/**
 * Which of the conditions together hold wherever the last one does: as few as dropping them one by one leaves, by position.
 * Undefined when it cannot be shown that they do.
 */
export function covering(conditions: readonly Condition[], covered: Condition): readonly number[] | undefined {
  const related = conditions.flatMap((condition, index) => ({ index, fails: not(condition.whenTrue) }));
  const isCovered = (by: readonly { readonly fails: Formula }[]) =>
    cannotHold([covered.whenTrue, ...by.map(one => one.fails)]);
  if (!isCovered(related)) return undefined;
  const single = related.find(one => isCovered([one]));
  if (single !== undefined) return [single.index];
  let needed = related;
  for (const one of related) {
    const fewer = needed.filter(other => other !== one);
    if (isCovered(fewer)) needed = fewer;
  }
  return needed.map(one => one.index);
}

/** What inputs may look like that fulfil all formulas; undefined when there are none, or none was found. */
export function possibleModel(formulas: readonly Formula[]): Model | undefined {
  const answer = solve(formulas);
  return answer.kind === 'model' ? answer.model : undefined;
}

function cannotHold(formulas: readonly Formula[]): boolean {
  return solve(formulas).kind === 'unsatisfiable';
}
