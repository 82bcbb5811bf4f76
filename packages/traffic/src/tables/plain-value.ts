import type { DuckDBValue } from '@duckdb/node-api';

/** A value of a table, as JSON would have it. */
export type PlainValue = string | number | boolean | null | undefined | readonly PlainValue[] | PlainObject;

interface PlainObject {
  readonly [name: string]: PlainValue;
}

type Library = typeof import('@duckdb/node-api');

/**
 * Makes the function that gives a value as JSON has it: times as text of ISO 8601, large numbers as text, lists as lists, structs and maps as
 * objects. What a struct has no value for is left out, as it says of no row that a member is not there.
 */
export function createPlainValue(library: Library): (value: DuckDBValue) => PlainValue {
  const plain = (value: DuckDBValue): PlainValue => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof library.DuckDBListValue || value instanceof library.DuckDBArrayValue)
      return value.items.map(plain);
    if (value instanceof library.DuckDBStructValue) return structOf(value.entries, plain);
    if (value instanceof library.DuckDBMapValue) return mapOf(value.entries, plain);
    if (value instanceof library.DuckDBBlobValue) return Buffer.from(value.bytes).toString('utf8');
    return timeOf(value, library) ?? String(value);
  };
  return plain;
}

type Plain = (value: DuckDBValue) => PlainValue;

function structOf(entries: Readonly<Record<string, DuckDBValue>>, plain: Plain): PlainObject {
  const known = Object.entries(entries).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, plain(value)]));
}

/** Of a name that comes more than once, all values. */
function mapOf(
  entries: readonly { readonly key: DuckDBValue; readonly value: DuckDBValue }[],
  plain: Plain,
): PlainObject {
  const values = new Map<string, PlainValue>();
  for (const { key, value } of entries) {
    const name = String(plain(key));
    const before = values.get(name);
    values.set(name, before === undefined ? plain(value) : [before, plain(value)].flat());
  }
  return Object.fromEntries(values);
}

function timeOf(value: object, library: Library): string | undefined {
  const ms = msOf(value, library);
  if (ms === undefined || Math.abs(ms) > MAX_MS) return undefined;
  return new Date(ms).toISOString();
}

/** Of dates (ECMA-262, section 21.4.1.1); what a table calls infinite lies beyond. */
const MAX_MS = 8.64e15;

function msOf(value: object, library: Library): number | undefined {
  if (value instanceof library.DuckDBTimestampTZValue) return Number(value.micros / 1000n);
  if (value instanceof library.DuckDBTimestampValue) return Number(value.micros / 1000n);
  if (value instanceof library.DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof library.DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof library.DuckDBTimestampNanosecondsValue) return Number(value.nanos / 1_000_000n);
  return undefined;
}
