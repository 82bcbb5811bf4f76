/** Two positions whose values must differ. */
export type Distinct = readonly [a: number, b: number];

type Choice =
  | { readonly kind: 'value'; readonly value: ReadonlyMap<number, string> }
  /** Positions that have no values that differ as they must. */
  | { readonly kind: 'impossible'; readonly impossible: ReadonlySet<number> }
  | { readonly kind: 'unknown' };

/**
 * Chooses a value for each position. A position with more values than it has neighbours can be chosen last, whatever theirs are; what is left
 * is tried.
 * @param domains all values of a position, or more than it has neighbours
 */
export function chooseDistinct(domains: ReadonlyMap<number, readonly string[]>, pairs: readonly Distinct[]): Choice {
  const neighbours = new Map<number, Set<number>>();
  for (const at of domains.keys()) neighbours.set(at, new Set());
  for (const [a, b] of pairs) {
    neighbours.get(a)!.add(b);
    neighbours.get(b)!.add(a);
  }
  const left = new Set(domains.keys());
  const last: number[] = [];
  const isFree = (at: number) => domains.get(at)!.length > [...neighbours.get(at)!].filter(one => left.has(one)).length;
  for (let free = [...left].find(isFree); free !== undefined; free = [...left].find(isFree)) {
    left.delete(free);
    last.push(free);
  }
  const steps = { left: MAX_STEPS };
  const chosen = new Map<number, string>();
  const choose = (positions: readonly number[]): boolean => {
    const [at, ...others] = positions;
    if (at === undefined) return true;
    for (const value of domains.get(at)!) {
      if (steps.left-- <= 0) return false;
      if ([...neighbours.get(at)!].some(one => chosen.get(one) === value)) continue;
      chosen.set(at, value);
      if (choose(others)) return true;
      chosen.delete(at);
    }
    return false;
  };
  if (!choose([...left])) return steps.left <= 0 ? { kind: 'unknown' } : { kind: 'impossible', impossible: left };
  return choose(last.reverse()) ? { kind: 'value', value: chosen } : { kind: 'unknown' };
}

const MAX_STEPS = 20_000;
