import { CelDouble, type Value } from '../values/value.ts';
import { type Candidates, thresholdsOf } from './candidates.ts';
import type { IndexablePredicate } from './indexable-predicate.ts';
import type { Find, GroupedRule } from './lookup.ts';

/** Returns an index of thresholds. Because many may pass, candidates are enumerated lazily. */
export function thresholdIndex(group: readonly GroupedRule[]): Find {
  const thresholds = group.flatMap(({ position, test }) =>
    test.kind === 'threshold' ? [upwards(position, test)] : [],
  );
  const tables = SORTS.flatMap(({ sign, inclusive }) => {
    const some = thresholds.filter(one => one.sign === sign && one.inclusive === inclusive);
    return some.length > 0 ? [{ sign, candidates: tableOf(some, inclusive) }] : [];
  });
  return (value, gathering) => {
    const number = numberOf(value);
    if (number === undefined) return false;
    for (const { sign, candidates } of tables) gathering.add(candidates, sign * number);
    return true;
  };
}

interface Threshold {
  readonly position: number;
  /** -1 for thresholds that pass below the bound, whose numbers and bounds are negated. */
  readonly sign: 1 | -1;
  readonly inclusive: boolean;
  readonly bound: number;
}

const SORTS = [
  { sign: 1, inclusive: false },
  { sign: 1, inclusive: true },
  { sign: -1, inclusive: false },
  { sign: -1, inclusive: true },
] as const;

function upwards(
  position: number,
  { operator, bound }: Extract<IndexablePredicate, { readonly kind: 'threshold' }>,
): Threshold {
  const sign = operator.startsWith('>') ? 1 : -1;
  return { position, sign, inclusive: operator.endsWith('='), bound: sign * bound };
}

function tableOf(thresholds: readonly Threshold[], inclusive: boolean): Candidates {
  const bounds = Float64Array.from(thresholds, threshold => threshold.bound);
  const positions = Int32Array.from(thresholds, threshold => threshold.position);
  return { positions, thresholds: thresholdsOf(bounds, inclusive) };
}

/** Returns undefined for an int that no JavaScript number represents exactly. */
function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof CelDouble ? value.value : undefined;
}
