import type { DuckDBValue } from '@duckdb/node-api';

/** A value of a table as JSON data. */
export type PlainValue = string | number | boolean | null | undefined | readonly PlainValue[] | PlainObject;

interface PlainObject {
  readonly [name: string]: PlainValue;
}

type Library = typeof import('@duckdb/node-api');

/**
 * Returns a function that converts values to JSON data: times to ISO 8601 strings, large numbers to strings, lists to lists, structs and maps
 * to objects. Members of a struct without a value are left out, because a struct cannot say that a member does not exist.
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

/** Collects all values of a repeated name. */
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

/** The limit of dates (ECMA-262, section 21.4.1.1); infinite times lie beyond it. */
const MAX_MS = 8.64e15;

function msOf(value: object, library: Library): number | undefined {
  if (value instanceof library.DuckDBTimestampTZValue) return Number(value.micros / 1000n);
  if (value instanceof library.DuckDBTimestampValue) return Number(value.micros / 1000n);
  if (value instanceof library.DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof library.DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof library.DuckDBTimestampNanosecondsValue) return Number(value.nanos / 1_000_000n);
  return undefined;
}
