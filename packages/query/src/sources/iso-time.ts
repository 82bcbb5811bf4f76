import { sqlText } from '../duckdb/session.ts';

/** Returns the time of `2026-11-21T10:00:00.000Z`, with milliseconds or without, in SQL; null for anything else. */
export function isoTime(column: string, quote: '"' | ''): string {
  const cast = (length: number) =>
    `epoch_ms(try_cast(substring(${column}, ${quote.length + 1}, ${length}) as timestamp))`;
  const matches = (milliseconds: string) =>
    `regexp_full_match(${column}, ${sqlText(`${quote}${TO_SECONDS}${milliseconds}Z${quote}`)})`;
  return `case when ${matches('[.][0-9]{3}')} then ${cast(23)} when ${matches('')} then ${cast(19)} end`;
}

/** From 1970 on. */
const TO_SECONDS = '(?:19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}';
