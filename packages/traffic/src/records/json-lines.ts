/** JSON lines: with a mapping of the user, and logs of servers whose members have known names. */
import type { Exchange, RecordLocation, SkipReason, TrafficBatch } from '../exchange/exchange.ts';
import { type LogSource, type ReadLine, readLog } from '../input/lines.ts';
import {
  type FieldMapping,
  GEO_FIELDS,
  mappedHeader,
  type PathReader,
  RECORD_FIELDS,
  readerOfPath,
} from './field-mapping.ts';
import { isRecord } from './field-values.ts';
import { absenceOf } from './logged-headers.ts';
import {
  absenceIn,
  headersByMessage,
  MappedFacts,
  PARSED,
  type ParsedRecord,
  type PreparedMapping,
  prepareMapping,
} from './mapped-facts.ts';
import { RecordExchange } from './record-exchange.ts';

/** Reads one JSON object per line, with fields as mapped. */
export function readJsonLines(source: LogSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  return readLog(source, readObjectLine(prepareMapping(mapping, PARSED)));
}

/** Returns a reader of one line. */
function readObjectLine(mapping: PreparedMapping<ParsedRecord>): ReadLine {
  return eachObject((record, place) => {
    const facts = new MappedFacts(record, mapping);
    return facts.isEmpty ? 'traffic/no-fields' : new RecordExchange(place, facts);
  });
}

/** Reads the object of one line. */
type ReadObject = (
  record: Readonly<Record<string, unknown>>,
  place: RecordLocation,
) => Exchange | SkipReason | undefined;

/** Returns a reader of lines with one JSON object each. */
export function eachObject(readObject: ReadObject): ReadLine {
  return (text, place) => {
    const record = parseObject(text);
    return record === undefined ? 'traffic/malformed-json' : readObject(record, place);
  };
}

/** Parses a JSON object; returns undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The names of fields in a server's JSON logs. */
export interface ServerNames {
  /** Dot paths by field, or by `request_headers.NAME`; the first path with a value wins. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Values that stand for a missing one, in addition to null; for a header they may also be its value. */
  readonly missing: readonly string[];
  /** Of those of a header; the same by default. */
  readonly signs?: readonly string[];
  /** Returns the field that a member without a path of its own holds, for servers with a name for each header. */
  readonly fieldOf?: (member: string) => string | undefined;
}

/** Reads the JSON lines of a server. The user's mapping takes precedence over the server's names. */
export function readServerLog(
  source: LogSource,
  names: ServerNames,
  mapping: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const mappingOf = mappingByMembers(names, mapping);
  return readLog(
    source,
    eachObject((record, place) => {
      const facts = new MappedFacts(record, mappingOf(record));
      return facts.isEmpty ? 'traffic/no-fields' : new RecordExchange(place, facts);
    }),
  );
}

/** Returns the mapping for each record. The records of a log have few different sets of members. */
function mappingByMembers(
  names: ServerNames,
  mapping: FieldMapping,
): (record: ParsedRecord) => PreparedMapping<ParsedRecord> {
  const { fieldOf, paths } = names;
  if (fieldOf === undefined) {
    const prepared = prepareNames(names, mapping);
    return () => prepared;
  }
  const known = new Map<string, PreparedMapping<ParsedRecord>>();
  const named = new Set(Object.values(paths).flat());
  return record => {
    const members = Object.keys(record);
    const key = members.join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const others = members.flatMap(member => {
      const field = named.has(member) ? undefined : fieldOf(member);
      return field === undefined ? [] : [[field, [member]] as const];
    });
    const prepared = prepareNames({ ...names, paths: { ...paths, ...Object.fromEntries(others) } }, mapping);
    if (known.size < MAX_MEMBER_SETS) known.set(key, prepared);
    return prepared;
  };
}

/** Logs may contain any number. */
const MAX_MEMBER_SETS = 100;

function prepareNames(
  { paths, missing, signs = missing }: ServerNames,
  mapping: FieldMapping,
): PreparedMapping<ParsedRecord> {
  const own = prepareMapping(mapping, PARSED);
  const readerOf = (name: string) => firstOf(paths[name] ?? [], missing);
  const readers = RECORD_FIELDS.map((name, number) =>
    isMapped(name, mapping) ? own.readers[number]! : readerOf(name),
  );
  const headers = Object.keys(paths).flatMap(name => {
    const header = HEADERS[name] ?? mappedHeader(name);
    return header === undefined || isMapped(name, mapping)
      ? []
      : [{ ...header, read: firstOf(paths[name]!, []), ...absenceIn(mapping.absentIn, name) }];
  });
  const others = Object.values(own.headers)
    .flat()
    .filter(({ name }) => !headers.some(one => one.name === name));
  return {
    ...own,
    isServer: true,
    readers,
    places: GEO_FIELDS.map(field => readers[RECORD_FIELDS.indexOf(field)]!),
    rules: { ...own.rules, absence: absenceOf(signs, mapping.absent) },
    headers: headersByMessage([...others, ...headers]),
  };
}

const HEADERS: Readonly<Record<string, ReturnType<typeof mappedHeader>>> = {
  user_agent: { message: 'request_headers', name: 'User-Agent' },
  referer: { message: 'request_headers', name: 'Referer' },
};

function isMapped(name: string, { fields = {} }: FieldMapping): boolean {
  return Object.hasOwn(fields, name);
}

/** Returns null for a value that is logged as missing. */
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
