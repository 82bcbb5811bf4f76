import type { TrafficBatch } from '../exchange/batch.ts';
import { type LogSource, readLog } from '../input/read-log.ts';
import { GEO_FIELDS } from '../record/geo-in-record.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import { type FieldMapping, mappedHeader, RECORD_FIELDS } from './field-mapping.ts';
import { type PathReader, readerOfPath } from './json-path.ts';
import { MappedFacts, PARSED, type ParsedRecord, type PreparedMapping, prepareMapping } from './mapped-facts.ts';
import { eachObject } from './read-json-lines.ts';

/** The names of fields in a server's JSON logs. */
export interface ServerNames {
  /** Dot paths by field, or by `request_headers.NAME`; the first path with a value wins. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Values that mean missing, in addition to null. */
  readonly missing: readonly string[];
}

/** Reads the JSON lines of a server. The user's mapping takes precedence over the server's names. */
export function readServerLog(
  source: LogSource,
  names: ServerNames,
  mapping: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const prepared = prepareNames(names, mapping);
  return readLog(
    source,
    eachObject((record, place) => {
      const facts = new MappedFacts(record, prepared);
      return facts.isEmpty ? 'traffic/no-fields' : new RecordExchange(place, facts);
    }),
  );
}

function prepareNames({ paths, missing }: ServerNames, mapping: FieldMapping): PreparedMapping<ParsedRecord> {
  const own = prepareMapping(mapping, PARSED);
  const readerOf = (name: string) => firstOf(paths[name] ?? [], missing);
  const readers = RECORD_FIELDS.map((name, number) =>
    isMapped(name, mapping) ? own.readers[number]! : readerOf(name),
  );
  const headers = Object.keys(paths).flatMap(name => {
    const header = HEADERS[name] ?? mappedHeader(name);
    return header === undefined || isMapped(name, mapping) ? [] : [{ ...header, read: readerOf(name) }];
  });
  return {
    ...own,
    readers,
    places: GEO_FIELDS.map(field => readers[RECORD_FIELDS.indexOf(field)]!),
    headers: [...own.headers.filter(({ name }) => !headers.some(one => one.name === name)), ...headers],
  };
}

const HEADERS: Readonly<Record<string, ReturnType<typeof mappedHeader>>> = {
  user_agent: { message: 'request_headers', name: 'User-Agent' },
  referer: { message: 'request_headers', name: 'Referer' },
};

function isMapped(name: string, { fields = {} }: FieldMapping): boolean {
  return Object.hasOwn(fields, name);
}

/** Returns null for a value that is logged as missing; for a header, that means that it was not sent. */
function firstOf(paths: readonly string[], missing: readonly string[]): PathReader {
  const readers = paths.map(readerOfPath);
  return record => {
    for (const read of readers) {
      const value = read(record);
      if (value !== undefined) return typeof value === 'string' && missing.includes(value) ? null : value;
    }
    return undefined;
  };
}
