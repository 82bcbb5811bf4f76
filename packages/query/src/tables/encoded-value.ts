import type { ColumnKind, Dialect } from '../engines/dialect.ts';

/** How a value that is null is encoded. The empty string is left to columns that a grouping set lacks. */
export const NOTHING = '-';

/** Returns a value as a string that is never null, in SQL: equal values have equal strings, by which the engine groups and joins. */
export function encoded({ asText }: Dialect, sql: string, kind: ColumnKind): string {
  return `case when ${sql} is null then '${NOTHING}' else concat('=', ${asText(sql, kind)}) end`;
}

/** Returns the JSON data of an encoded value; undefined if it was null. */
export function decoded(value: string, kind: ColumnKind, name: string): unknown {
  if (!value.startsWith('=')) return undefined;
  const text = value.slice(1);
  switch (kind) {
    case 'number':
      return numberOf(text);
    case 'boolean':
      return text === 'true' || text === '1';
    case 'time':
      return timeOf(text);
    case 'json':
      return parsed(text) ?? undefined;
    case 'address':
      return text;
    case 'text':
      return /headers$/i.test(name) && /^\s*[{[]/.test(text) ? parsed(text) : text;
  }
}

/** Large integers stay strings, in which no digit is lost. */
function numberOf(text: string): string | number {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}

function timeOf(text: string): string | undefined {
  const ms = Number(text);
  return text === '' || Math.abs(ms) > MAX_MS ? undefined : new Date(ms).toISOString();
}

/** The limit of dates (ECMA-262, section 21.4.1.1). */
const MAX_MS = 8.64e15;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
