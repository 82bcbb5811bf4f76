import { type IntSet, includes, intersect } from '../values/int-set.ts';
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

/** How long each part stays the same, and how it is read from a date; the longest first. */
const PARTS = {
  month: [DAY, (date: Date) => date.getUTCMonth()],
  day_of_month_1_based: [DAY, (date: Date) => date.getUTCDate()],
  day_of_month: [DAY, (date: Date) => date.getUTCDate() - 1],
  day_of_year: [DAY, (date: Date) => Math.round((date.getTime() - new Date(date).setUTCMonth(0, 1)) / 86_400_000)],
  day_of_week: [DAY, (date: Date) => date.getUTCDay()],
  hours: [HOUR, (date: Date) => date.getUTCHours()],
  minutes: [MINUTE, (date: Date) => date.getUTCMinutes()],
  seconds: [SECOND, (date: Date) => date.getUTCSeconds()],
  milliseconds: [MILLISECOND, (date: Date) => date.getUTCMilliseconds()],
} as const;

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
  const [, read] = PARTS[part];
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
  const ordered = literals.toSorted((a, b) => (PARTS[a.part][0] < PARTS[b.part][0] ? 1 : -1));
  const period = literals.some(({ part }) => CALENDAR.has(part)) ? 146_097n * DAY : 7n * DAY;
  let steps = 0;
  for (const [first, last] of intersect(moments, MOMENTS)) {
    for (const start of usual > first && usual <= last ? [usual, first] : [first]) {
      for (let moment = start; moment <= last && moment < start + period; steps++) {
        if (steps > MAX_STEPS) return { kind: 'unknown', reason: NOT_MODELLED };
        const failing = ordered.find(one => hasPart(one, moment) === one.isNegated);
        if (failing === undefined) return { kind: 'value', value: moment };
        const [size] = PARTS[failing.part];
        moment = (floorDivide(moment + failing.offset, size) + 1n) * size - failing.offset;
      }
    }
  }
  return conflict(literals);
}

const MAX_STEPS = 30_000;

/** Returns true if some value of a part passes all tests of it. */
function canHold(tests: readonly PartLiteral[]): boolean {
  for (let value = 0n; value < 1000n; value++) {
    if (tests.every(({ set, isNegated }) => includes(set, value) !== isNegated)) return true;
  }
  return false;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
