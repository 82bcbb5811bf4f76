import { timeZoneOf } from '../../values/time-zone.ts';
import { type EvaluationError, NonValue, type Timestamp } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

/** Reads a part of a date whose UTC fields are those of the requested time zone. */
type Part = (local: Date) => number;

function inUtc(timestamp: Timestamp, part: Part): number {
  return part(new Date(timestamp.seconds * 1000));
}

function inZone(context: RunContext, timestamp: Timestamp, zone: string, part: Part): number | EvaluationError {
  const offset = context.timeZones.get(zone, timeZoneOf);
  if (offset instanceof NonValue) return offset;
  return part(new Date((timestamp.seconds + offset(timestamp.seconds)) * 1000));
}

const year: Part = local => local.getUTCFullYear();
const month: Part = local => local.getUTCMonth();
const date: Part = local => local.getUTCDate();
const dayOfMonth: Part = local => local.getUTCDate() - 1;
const dayOfWeek: Part = local => local.getUTCDay();
const hours: Part = local => local.getUTCHours();
const minutes: Part = local => local.getUTCMinutes();
const seconds: Part = local => local.getUTCSeconds();

const dayOfYear: Part = local => {
  const newYear = new Date(local).setUTCMonth(0, 1);
  return Math.round((local.getTime() - newYear) / 86_400_000);
};

export function yearOf(timestamp: Timestamp): number {
  return inUtc(timestamp, year);
}

export function yearIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, year);
}

export function monthOf(timestamp: Timestamp): number {
  return inUtc(timestamp, month);
}

export function monthIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, month);
}

export function dayOfYearOf(timestamp: Timestamp): number {
  return inUtc(timestamp, dayOfYear);
}

export function dayOfYearIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, dayOfYear);
}

export function dayOfMonthOf(timestamp: Timestamp): number {
  return inUtc(timestamp, dayOfMonth);
}

export function dayOfMonthIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, dayOfMonth);
}

export function dateOf(timestamp: Timestamp): number {
  return inUtc(timestamp, date);
}

export function dateIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, date);
}

export function dayOfWeekOf(timestamp: Timestamp): number {
  return inUtc(timestamp, dayOfWeek);
}

export function dayOfWeekIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, dayOfWeek);
}

export function hoursOf(timestamp: Timestamp): number {
  return inUtc(timestamp, hours);
}

export function hoursIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, hours);
}

export function minutesOf(timestamp: Timestamp): number {
  return inUtc(timestamp, minutes);
}

export function minutesIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, minutes);
}

export function secondsOf(timestamp: Timestamp): number {
  return inUtc(timestamp, seconds);
}

export function secondsIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, seconds);
}

export function millisecondsOf(timestamp: Timestamp): number {
  return Math.floor(timestamp.nanos / 1e6);
}

export function millisecondsIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, () => millisecondsOf(timestamp));
}
