import { emptyTogether, type IntRange, type IntSet, includes, intersect } from '../values/int-set.ts';
import { type CellAnswer, NOT_MODELLED } from './cell-answer.ts';

/** A statement about an integer. */
export type IntLiteral =
  | { readonly kind: 'set'; readonly set: IntSet }
  | { readonly kind: 'residue'; readonly modulus: bigint; readonly residue: bigint; readonly isNegated: boolean };

/** Looks for an integer for which all literals hold, the most ordinary first. */
export function decideIntegers(
  literals: readonly IntLiteral[],
  universe: IntSet,
  preferred: readonly bigint[],
): CellAnswer<bigint> {
  const sets = literals.map(one => (one.kind === 'set' ? one.set : universe));
  const left = sets.reduce(intersect, universe);
  const residues = literals.filter(one => one.kind === 'residue');
  const fits = (value: bigint) => includes(left, value) && residues.every(one => hasResidue(one, value));
  const found = preferred.find(fits) ?? firstIn(left, residues, fits);
  if (typeof found === 'bigint') return { kind: 'value', value: found };
  if (found === 'unknown') return { kind: 'unknown', reason: NOT_MODELLED };
  const line: IntRange = [universe[0]![0], universe.at(-1)![1]];
  const gaps = [universe, ...sets];
  const core = residues.length > 0 ? undefined : emptyTogether(gaps, line);
  const positions = core?.map(at => at - 1).filter(at => at >= 0) ?? literals.map((_, at) => at);
  return { kind: 'conflict', positions };
}

/** Returns the least integer from a bound on for which all literals hold; undefined if there is none. Long periods of residues are left out. */
export function leastFrom(literals: readonly IntLiteral[], universe: IntSet, bound: bigint): bigint | undefined {
  const sets = literals.flatMap(one => (one.kind === 'set' ? [one.set] : []));
  const left = [...sets, [[bound, FAR] as const]].reduce<IntSet>(intersect, universe);
  const residues = literals.filter(one => one.kind === 'residue');
  const period = periodOf(residues);
  if (residues.length === 0 || period > MAX_PERIOD) return left[0]?.[0];
  const parts = [intersect(left, [[-FAR, -1n]]), intersect(left, [[0n, FAR]])].flat();
  for (const [first, last] of parts) {
    for (let value = first; value <= last && value < first + period; value++)
      if (residues.every(one => hasResidue(one, value))) return value;
  }
  return undefined;
}

function periodOf(residues: readonly { readonly modulus: bigint }[]): bigint {
  return residues.reduce((all, { modulus }) => (all * modulus) / gcd(all, modulus), 1n);
}

function hasResidue({ modulus, residue, isNegated }: Extract<IntLiteral, { kind: 'residue' }>, value: bigint): boolean {
  return (value % modulus === residue) !== isNegated;
}

/** Residues repeat, so that looking at one period on either side of zero of each range is enough. */
function firstIn(
  set: IntSet,
  residues: readonly Extract<IntLiteral, { kind: 'residue' }>[],
  fits: (value: bigint) => boolean,
): bigint | 'none' | 'unknown' {
  if (set.length === 0) return 'none';
  if (residues.length === 0) return leastMagnitude(set);
  const period = periodOf(residues);
  if (period > MAX_PERIOD) return 'unknown';
  for (const [first, last] of splitAtZero(set)) {
    for (let value = first; value <= last && value < first + period; value++) if (fits(value)) return value;
  }
  return 'none';
}

const MAX_PERIOD = 20_000n;

/** Remainders have the sign of the dividend. */
function splitAtZero(set: IntSet): IntSet {
  return [...intersect(set, [[0n, FAR]]), ...intersect(set, [[-FAR, -1n]])];
}

const FAR = 2n ** 200n;

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

function leastMagnitude(set: IntSet): bigint {
  const ends = set.flatMap(([first, last]) => (first <= 0n && last >= 0n ? [0n] : [first, last]));
  return ends.reduce((best, one) => (magnitude(one) < magnitude(best) ? one : best));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value * 2n + 1n : value * 2n;
}
