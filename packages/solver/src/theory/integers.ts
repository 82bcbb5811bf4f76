// Integers and moments for which literals hold.

import { emptyTogether, type IntRange, type IntSet, includes, intersect } from '../values/int-set.ts';

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

/** A part of a moment that repeats: within a week, or with the calendar. */
type TimePart = keyof typeof PARTS;

/** A statement about a part of a moment. */
export interface PartTest {
  readonly part: TimePart;
  /** Of the time zone, in ns east of UTC. */
  readonly offset: bigint;
  readonly set: IntSet;
}

interface PartLiteral extends PartTest {
  readonly isNegated: boolean;
}

const MILLISECOND = 1_000_000n;
const SECOND = 1000n * MILLISECOND;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** How long each part stays the same, its first and last value, and how it is read from a date; the longest first. */
const PARTS = {
  month: [DAY, [0, 11], (date: Date) => date.getUTCMonth()],
  day_of_month_1_based: [DAY, [1, 31], (date: Date) => date.getUTCDate()],
  day_of_month: [DAY, [0, 30], (date: Date) => date.getUTCDate() - 1],
  day_of_year: [
    ...([DAY, [0, 365]] as const),
    (date: Date) => Math.round((date.getTime() - new Date(date).setUTCMonth(0, 1)) / 86_400_000),
  ],
  day_of_week: [DAY, [0, 6], (date: Date) => date.getUTCDay()],
  hours: [HOUR, [0, 23], (date: Date) => date.getUTCHours()],
  minutes: [MINUTE, [0, 59], (date: Date) => date.getUTCMinutes()],
  seconds: [SECOND, [0, 59], (date: Date) => date.getUTCSeconds()],
  milliseconds: [MILLISECOND, [0, 999], (date: Date) => date.getUTCMilliseconds()],
} as const;

/** Returns the first and last value of a part. */
export function rangeOfPart(part: TimePart): IntRange {
  const [, [first, last]] = PARTS[part];
  return [BigInt(first), BigInt(last)];
}

/** Parts of the calendar, which repeats after 400 years. */
const CALENDAR: ReadonlySet<TimePart> = new Set([
  ...(['month', 'day_of_month_1_based', 'day_of_month', 'day_of_year'] as const),
]);

/** The years 1 to 9999. */
const MOMENTS: IntSet = [[-62_135_596_800n * SECOND, 253_402_300_800n * SECOND - 1n]];

/** Returns true for the name of a part, as overloads have it. */
export function isTimePart(name: string): name is TimePart {
  return Object.hasOwn(PARTS, name);
}

/** Returns true if a moment, in ns since 1970-01-01T00:00:00Z, passes a test. */
export function hasPart({ part, offset, set }: PartTest, moment: bigint): boolean {
  const [, , read] = PARTS[part];
  return includes(set, BigInt(read(new Date(Number(floorDivide(moment + offset, MILLISECOND))))));
}

/** Returns the moments in some years. */
export function momentsInYears(years: IntSet, offset: bigint): IntSet {
  const startOf = (year: bigint) => BigInt(new Date(0).setUTCFullYear(Number(year), 0, 1)) * MILLISECOND - offset;
  // A time zone may lead to the year before or after those of UTC.
  return intersect(years, [[0n, 10_000n]]).map(([first, last]) => [startOf(first), startOf(last + 1n) - 1n]);
}

/** Looks for a moment that passes all tests, in the set; from a usual moment on, if possible. */
export function decideParts(literals: readonly PartLiteral[], moments: IntSet, usual: bigint): CellAnswer<bigint> {
  const conflict = (found: readonly PartLiteral[]): CellAnswer<bigint> => ({
    kind: 'conflict',
    positions: found.map(one => literals.indexOf(one)),
  });
  const kinds = Map.groupBy(literals, ({ part, offset }) => `${part} ${offset}`);
  for (const same of kinds.values()) if (!canHold(same)) return conflict(same);
  // What repeats sooner contradicts itself sooner, in time zones that differ.
  for (const period of PERIODS) {
    const own = literals.filter(one => repetitionOf(one) <= period);
    if (own.length > 1 && firstWithin(own, [[0n, period - 1n]], 0n) === 'none') return conflict(own);
  }
  const found = firstWithin(literals, intersect(moments, MOMENTS), usual);
  if (found === 'none') return conflict(literals);
  return found === 'unknown' ? { kind: 'unknown', reason: NOT_MODELLED } : { kind: 'value', value: found };
}

const WEEK = 7n * DAY;
const FOUR_CENTURIES = 146_097n * DAY;
/** Before all parts of the calendar repeat. */
const PERIODS = [HOUR, DAY, WEEK];

/** Returns after which time a part has the same values again. */
function repetitionOf({ part }: PartTest): bigint {
  if (CALENDAR.has(part)) return FOUR_CENTURIES;
  if (part === 'day_of_week') return WEEK;
  return part === 'hours' ? DAY : HOUR;
}

/** Returns a moment of the set that passes all tests, the first from a usual one on. */
function firstWithin(literals: readonly PartLiteral[], moments: IntSet, usual: bigint): bigint | 'none' | 'unknown' {
  const ordered = literals.toSorted((a, b) => (PARTS[a.part][0] < PARTS[b.part][0] ? 1 : -1));
  const period = [...PERIODS, FOUR_CENTURIES].find(one => literals.every(literal => repetitionOf(literal) <= one))!;
  let steps = 0;
  for (const [first, last] of moments) {
    for (const start of usual > first && usual <= last ? [usual, first] : [first]) {
      for (let moment = start; moment <= last && moment < start + period; steps++) {
        if (steps > MAX_STEPS) return 'unknown';
        const failing = ordered.find(one => hasPart(one, moment) === one.isNegated);
        if (failing === undefined) return moment;
        moment = nextCandidate(failing, moment);
      }
    }
  }
  return 'none';
}

const MAX_STEPS = 30_000;

/** Returns true if some value of a part passes all tests of it. */
function canHold(tests: readonly PartLiteral[]): boolean {
  const [first, last] = rangeOfPart(tests[0]!.part);
  for (let value = first; value <= last; value++) {
    if (tests.every(({ set, isNegated }) => includes(set, value) !== isNegated)) return true;
  }
  return false;
}

/** Returns a later moment such that none before it passes the test, which this one fails. */
function nextCandidate({ part, offset, set, isNegated }: PartLiteral, moment: bigint): bigint {
  const [size, [first, last], read] = PARTS[part];
  const local = moment + offset;
  const date = new Date(Number(floorDivide(local, MILLISECOND)));
  const passes = (value: number) => includes(set, BigInt(value)) !== isNegated;
  const value = read(date);
  const start = (at: Date) => BigInt(at.getTime()) * MILLISECOND - offset;
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  let steps = 1;
  if (part === 'month') {
    while (!passes((month + steps) % 12) && steps < 12) steps++;
    return start(dateAt(year, month + steps));
  }
  // Months and years differ in length, so that what follows their end is looked at again.
  const end =
    part === 'day_of_year'
      ? start(dateAt(year + 1, 0))
      : part === 'day_of_month' || part === 'day_of_month_1_based'
        ? start(dateAt(year, month + 1))
        : undefined;
  const count = last - first + 1;
  while (!passes(first + ((value - first + steps) % count)) && steps < count) steps++;
  const next = (floorDivide(local, size) + BigInt(steps)) * size - offset;
  return end !== undefined && end < next ? end : next;
}

/** Returns the first moment of a month; also in the years before 100, which constructors take for those after 1900. */
function dateAt(year: number, month: number): Date {
  return new Date(new Date(0).setUTCFullYear(year, month, 1));
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
