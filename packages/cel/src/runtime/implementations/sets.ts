import { containsSet, equivalentSets, intersectsSet } from '../collections/sets.ts';
import type { Implementation } from '../context/implementation.ts';
import { inContext } from '../context/implementation-kinds.ts';

/** Implements the sets library, by overload id. */
export const SETS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  list_sets_contains_list: inContext(containsSet),
  list_sets_equivalent_list: inContext(equivalentSets),
  list_sets_intersects_list: inContext(intersectsSet),
};
