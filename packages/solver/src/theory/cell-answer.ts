/** Whether literals about one cell hold together. Positions are those of the literals. */
export type CellAnswer<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'conflict'; readonly positions: readonly number[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Why a question stays open although its budget is not spent. */
export const NOT_MODELLED = 'a test in the condition is not modelled';
/** The automata of the patterns do not fit into the budget together. */
export const PATTERNS_TOO_LARGE = 'the patterns are too large together';

/** Returns the conflict without positions that it does not need. `isConflict` tells whether literals at positions contradict each other. */
export function shrink(
  positions: readonly number[],
  isConflict: (positions: readonly number[]) => boolean,
): readonly number[] {
  if (positions.length > MAX_SHRUNK) return positions;
  let needed = positions;
  for (const position of positions) {
    const fewer = needed.filter(other => other !== position);
    if (fewer.length < needed.length && isConflict(fewer)) needed = fewer;
  }
  return needed;
}

/** Trying to drop each of more positions costs more than the smaller conflict saves. */
const MAX_SHRUNK = 12;
