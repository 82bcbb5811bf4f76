import { sqlText } from '../duckdb/session.ts';

/** Returns the time of `2026-11-21T10:00:00.000Z`, with milliseconds or without, in SQL; null for anything else. */
export function isoTime(column: string, quote: '"' | ''): string {
  const mask = `translate(${column}, '123456789', '000000000')`;
  const from = quote.length + 1;
  const after1970 = `${column}[${from}:${from + 3}] >= '1970'`;
  const cast = (length: number) => `epoch_ms(try_cast(${column}[${from}:${from + length - 1}] as timestamp))`;
  const text = (time: string) => sqlText(`${quote}${time}${quote}`);
  return `case when not ${after1970} then null
    when ${mask} = ${text('0000-00-00T00:00:00.000Z')} then ${cast(23)}
    when ${mask} = ${text('0000-00-00T00:00:00Z')} then ${cast(19)} end`;
}
