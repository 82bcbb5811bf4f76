import { allOf, type Condition, isUnsatisfiable } from '../decision/questions.ts';

/** Of conditions that cannot all hold, some that cannot: none of them can be left out. */
export function conflictIn<T extends { readonly condition: Condition }>(all: readonly T[]): readonly T[] {
  let needed = all;
  for (const one of all) {
    const fewer = needed.filter(other => other !== one);
    if (fewer.length > 0 && isUnsatisfiable(allOf(fewer.map(other => other.condition)))) needed = fewer;
  }
  return needed;
}
