import type { FunctionDecl, Overload } from '../../ast/declaration.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../../types/type.ts';
import { type Example, member } from '../declarations/declare.ts';

const NOON = "timestamp('2026-03-01T12:34:56.789Z')";

/** A part of a date: method, overload id, description, its value for {@link NOON}, and in a time zone 13 hours ahead. */
type DatePart = readonly [name: string, id: string, doc: string, utc: number, ahead: number];

const DATE_PARTS: readonly DatePart[] = [
  ['getFullYear', 'year', 'The year.', 2026, 2026],
  ['getMonth', 'month', 'Returns the month, from 0 for January.', 2, 2],
  ['getDayOfYear', 'day_of_year', 'Returns the day of the year, from 0.', 59, 60],
  ['getDayOfMonth', 'day_of_month', 'Returns the day of the month, from 0.', 0, 1],
  ['getDate', 'day_of_month_1_based', 'Returns the day of the month, from 1.', 1, 2],
  ['getDayOfWeek', 'day_of_week', 'Returns the day of the week, from 0 for Sunday.', 0, 1],
];

const CLOCK_PARTS: readonly DatePart[] = [
  ['getHours', 'hours', 'Returns the hour of the day, or the whole hours of a duration.', 12, 1],
  ['getMinutes', 'minutes', 'Returns the minute of the hour, or the whole minutes of a duration.', 34, 34],
  ['getSeconds', 'seconds', 'Returns the second of the minute, or the whole seconds of a duration.', 56, 56],
  ['getMilliseconds', 'milliseconds', 'Returns the millisecond of the second of a timestamp or duration.', 789, 789],
];

const DURATION_EXAMPLES: Readonly<Record<string, Example>> = {
  hours: ["duration('90m').getHours()", '1'],
  minutes: ["duration('90m').getMinutes()", '90'],
  seconds: ["duration('90m').getSeconds()", '5400'],
  milliseconds: ["duration('1.234s').getMilliseconds()", '234'],
};

export const TIME_PARTS: readonly FunctionDecl[] = [
  ...DATE_PARTS.map(part => datePart(part, [])),
  ...CLOCK_PARTS.map(part => datePart(part, [durationPart(part[1])])),
];

function datePart([name, id, doc, utc, ahead]: DatePart, others: readonly Overload[]): FunctionDecl {
  return {
    name,
    doc: `${doc} In UTC, or in the time zone given by its IANA name or as an offset such as \`+05:30\`.`,
    overloads: [
      member(`timestamp_to_${id}`, [TIMESTAMP], INT, [`${NOON}.${name}()`, `${utc}`]),
      member(zonedId(id), [TIMESTAMP, STRING], INT, [`${NOON}.${name}('+13:00')`, `${ahead}`]),
      ...others,
    ],
  };
}

/** The reference implementation names the overload for seconds differently. */
function zonedId(id: string): string {
  return id === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${id}_with_tz`;
}

function durationPart(id: string): Overload {
  return member(`duration_to_${id}`, [DURATION], INT, DURATION_EXAMPLES[id]!);
}
