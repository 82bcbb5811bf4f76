/**
 * Divides records for engines that limit how long a query may be: each query looks up some of the values or groups only, and counts the records
 * with these. No record is in two parts.
 */
import { crc32 } from 'node:zlib';
import type { EngineSession, LookupColumn, LookupRow } from '../engines/engine.ts';

/** Values whose checksums have the same remainder. */
export interface ValuePart {
  readonly count: number;
  readonly number: number;
}

export const ALL_VALUES: ValuePart = { count: 1, number: 0 };
export const NO_VALUES: ValuePart = { count: 1, number: -1 };

/** Whether a row of values is in a part; the checksum is that of `Dialect.checksum`. */
export function isInPart(values: readonly string[], { count, number }: ValuePart): boolean {
  return (count === 1 ? 0 : crc32(values.join('')) % count) === number;
}

/** Each part is another scan. Rather than with more, the engine is asked in one query, and says how long that may be. */
const MAX_PARTS = 32;

/** Returns into how many parts to divide the values of each of some lookups, so that together they are short enough. */
export function partCounts(lengths: readonly number[], most: number): readonly number[] {
  const counts = lengths.map(() => 1);
  const length = (at: number) => lengths[at]! / counts[at]!;
  const total = () => counts.reduce((sum, _, at) => sum + length(at), 0);
  while (lengths.length > 0 && total() > most) {
    const longest = counts.reduce((best, _, at) => (length(at) > length(best) ? at : best), 0);
    counts[longest]!++;
    if (counts.reduce((product, count) => product * count, 1) > MAX_PARTS) return lengths.map(() => 1);
  }
  return counts;
}

/** Returns all combinations of a part of each. */
export function combinedParts(counts: readonly number[]): readonly (readonly ValuePart[])[] {
  return counts.reduce<readonly (readonly ValuePart[])[]>(
    (found, count) => found.flatMap(own => Array.from({ length: count }, (_, number) => [...own, { count, number }])),
    [[]],
  );
}

/** How long queries may be, in bytes, less what the steps of a replay add to what they look up. */
export function queryRoom({ session }: { readonly session: EngineSession }): number {
  return (session.longestQuery ?? Number.POSITIVE_INFINITY) * 0.9 - 5000;
}

/** Returns the rows of a lookup in chunks that are short enough, if these are few. */
export function chunksOf(
  { session: { dialect } }: { readonly session: EngineSession },
  {
    columns,
    rows,
    most,
  }: { readonly columns: readonly LookupColumn[]; readonly rows: readonly LookupRow[]; readonly most: number },
): readonly (readonly LookupRow[])[] {
  if (most === Number.POSITIVE_INFINITY) return rows.length === 0 ? [] : [rows];
  const lengthOf = (some: readonly LookupRow[]) => Buffer.byteLength(dialect.lookup('x', columns, some));
  const empty = lengthOf([]);
  const chunks: LookupRow[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const own = lengthOf([row]) - empty + 1;
    length += own;
    if (length > most) {
      chunks.push([]);
      length = empty + own;
    }
    chunks.at(-1)!.push(row);
  }
  return chunks.length > MAX_PARTS ? [rows] : chunks;
}
