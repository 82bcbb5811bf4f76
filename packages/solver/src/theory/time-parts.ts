import { type IntRange, type IntSet, includes, intersect } from '../values/int-set.ts';
import { type CellAnswer, NOT_MODELLED } from './cell-answer.ts';

/** A part of a moment that repeats: within a week, or with the calendar. */
export type TimePart = keyof typeof PARTS;

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
    const own = literals.filter(one => periodOf(one) <= period);
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
function periodOf({ part }: PartTest): bigint {
  if (CALENDAR.has(part)) return FOUR_CENTURIES;
  if (part === 'day_of_week') return WEEK;
  return part === 'hours' ? DAY : HOUR;
}

/** Returns a moment of the set that passes all tests, the first from a usual one on. */
function firstWithin(literals: readonly PartLiteral[], moments: IntSet, usual: bigint): bigint | 'none' | 'unknown' {
  const ordered = literals.toSorted((a, b) => (PARTS[a.part][0] < PARTS[b.part][0] ? 1 : -1));
  const period = [...PERIODS, FOUR_CENTURIES].find(one => literals.every(literal => periodOf(literal) <= one))!;
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

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
