import type { Condition, ConditionQuestions } from '@tollgate/solver/conditions';

/** Returns a minimal subset of conditions that cannot hold together. */
export function conflictIn<T extends { readonly condition: Condition }>(
  all: readonly T[],
  questions: ConditionQuestions,
): readonly T[] {
  let needed = all;
  for (const one of all) {
    const fewer = needed.filter(other => other !== one);
    if (fewer.length > 0 && questions.isUnsatisfiable(questions.allOf(fewer.map(other => other.condition))))
      needed = fewer;
  }
  return needed;
}
