import type { Work } from '../../primitives/work.ts';
import { allOf, type Condition } from '../../solver/formula/condition.ts';
import { isUnsatisfiable } from '../../solver/search/queries.ts';

/** Returns a minimal subset of conditions that cannot hold together. */
export function conflictIn<T extends { readonly condition: Condition }>(all: readonly T[], work: Work): readonly T[] {
  let needed = all;
  for (const one of all) {
    work.spend(needed.length);
    const fewer = needed.filter(other => other !== one);
    if (fewer.length > 0 && isUnsatisfiable(allOf(fewer.map(other => other.condition)), work)) needed = fewer;
  }
  return needed;
}
