/** JSON lines: with a mapping of the user, and logs of servers whose members have known names. */
import {
  type Exchange,
  NO_HEADER_KNOWN,
  type RecordLocation,
  type SkipReason,
  type TrafficBatch,
} from '../exchange/exchange.ts';
import { type LogSource, type ReadLine, readLog } from '../input/lines.ts';
import {
  type FieldMapping,
  GEO_FIELDS,
  type MappedHeader,
  mappedHeader,
  RECORD_FIELDS,
  type RecordField,
} from './field-mapping.ts';
import { isRecord } from './field-values.ts';
import { absenceOf, type LateHeaders, type SeparateHeader, USUAL_SIGNS } from './logged-headers.ts';
import {
  absenceIn,
  headersByMessage,
  MappedFacts,
  PARSED,
  type ParsedRecord,
  type PreparedMapping,
  parsedWithin,
  prepareMapping,
  type RecordAccess,
  type StartPaths,
} from './mapped-facts.ts';
import { RecordExchange } from './record-exchange.ts';
import { isRefusal, refusalsOf } from './refusals.ts';

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
function eachObject(readObject: ReadObject): ReadLine {
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
  /** The server, if it stops reading requests at statuses of its own. */
  readonly server?: Parameters<typeof refusalsOf>[0];
  /** For servers with a name for each header. */
  readonly others?: OtherMembers;
  /** Fields whose value does not stand in the first path that has one. */
  readonly combined?: Readonly<Partial<Record<RecordField, Combine>>>;
  /** What stands for the value of a header that was sent and is withheld. Members are then all headers that the server logs. */
  readonly redacted?: string;
  /** Whether the server has read every request that it logs to its end, whatever the status. */
  readonly areRequestsWhole?: true;
  /** The member that holds those whose paths begin with its name and a dot. */
  readonly nested?: string;
  /** The member with the seconds that passed until the time of a record, which is in the first path of `time`. */
  readonly duration?: string;
  /** Which records are exchanges, for logs that have others too. */
  readonly only?: ExchangeSigns;
  /** For servers that log the headers of a message as one object, with all of them. */
  readonly wholeHeaders?: WholeHeaders;
  /** Whether the server logs the host of a target that is a whole URL in place of the Host header. */
  readonly changesHost?: true;
  /** Returns a reader of lines that are no objects, if the server writes others too. */
  readonly otherLines?: (mapping: FieldMapping) => ReadLine;
}

/** Returns a value from those at the paths of a field; undefined if they have none. Engines need not load a path that is not read. */
type Combine = (valueAt: (path: number) => unknown) => unknown;

/** What the records of exchanges have and others lack. */
interface ExchangeSigns {
  /** A member that holds an object. */
  readonly object: string;
  /** A member that begins so, if it is a string. */
  readonly logger: string;
  readonly prefix: string;
}

/** What objects of headers lack. */
interface WholeHeaders {
  /** What stands for the value of a header that was sent and is withheld. */
  readonly redacted: string;
  /** In lower case: the headers that are not logged. */
  readonly withheld: Readonly<Record<MappedHeader['message'], readonly string[]>>;
}

/** Members without a path of their own. */
interface OtherMembers {
  /** Returns the field that a member holds. */
  readonly fieldOf: (member: string) => string | undefined;
  /** Returns the member that usually holds a header, by its name in lower case. */
  readonly memberOf: (message: MappedHeader['message'], lowerCase: string) => string;
  /** A pattern that the name of every such member matches. */
  readonly pattern: string;
}

/** How records with named fields are read, whatever holds them. */
export interface FieldReading {
  /** Returns the paths of a field; the first with a value holds it. */
  readonly pathsOf: (field: string) => readonly string[];
  /** The fields with one header each. */
  readonly headers: readonly string[];
  /** Strings that stand for a header that an object of headers has and that was not sent. */
  readonly signs: readonly string[];
  /** Strings that stand for another missing value. */
  readonly missing: readonly string[];
  /** Whether a header that an object of headers lacks was not sent. */
  readonly isComplete: boolean;
  /** Fields for which null is the same as nothing. */
  readonly combined: readonly string[];
  /** What the time is computed from, if it is not at its path. */
  readonly start?: StartPaths | undefined;
  readonly prepare: <R>(access: RecordAccess<R>) => PreparedMapping<R>;
}

/** Returns how a mapping reads records. */
export function readingOf(mapping: FieldMapping): FieldReading {
  const { fields = {} } = mapping;
  return {
    pathsOf: field => [fields[field] ?? field].filter(path => path !== ''),
    headers: [...Object.keys(HEADERS), ...Object.keys(fields).filter(field => mappedHeader(field) !== undefined)],
    signs: signsOf(mapping, USUAL_SIGNS),
    missing: [],
    isComplete: mapping.completeHeaders ?? false,
    combined: [],
    prepare: access => prepareMapping(mapping, access),
  };
}

/** Returns how the names of a server read records that have some members. The user's mapping takes precedence. */
export function serverReading(names: ServerNames, mapping: FieldMapping, members: readonly string[]): FieldReading {
  const all = { ...names, paths: { ...names.paths, ...Object.fromEntries(otherPaths(names, members)) } };
  const own = readingOf(mapping);
  return {
    ...own,
    pathsOf: field => (isMapped(field, mapping) ? own.pathsOf(field) : (all.paths[field] ?? [])),
    headers: [
      ...new Set([...own.headers, ...Object.keys(all.paths).filter(field => mappedHeader(field) !== undefined)]),
    ],
    signs: signsOf(mapping, names.signs ?? names.missing),
    missing: names.missing,
    isComplete: isComplete(names, mapping),
    combined: Object.keys(names.combined ?? {}).filter(field => !isMapped(field, mapping)),
    start: startOf(names, mapping),
    prepare: access => prepareNames(all, mapping, access),
  };
}

/** Without other words of the user, a server that logs all headers has logged them. */
function isComplete({ wholeHeaders }: ServerNames, { completeHeaders = wholeHeaders !== undefined }: FieldMapping) {
  return completeHeaders;
}

function startOf({ paths, duration }: ServerNames, mapping: FieldMapping): FieldReading['start'] {
  const { time: times = [] } = paths;
  const isAtPath = duration === undefined && times.length < 2;
  return isAtPath || isMapped('time', mapping) ? undefined : { times, ...(duration !== undefined && { duration }) };
}

function signsOf({ absent, absentIn = {} }: FieldMapping, usual: readonly string[]): readonly string[] {
  return [
    ...new Set([...(absent ?? usual), ...(absentIn.request_headers ?? []), ...(absentIn.response_headers ?? [])]),
  ];
}

/** Returns the fields of members without a path of their own, each with its path. */
function otherPaths({ others, paths }: ServerNames, members: readonly string[]) {
  if (others === undefined) return [];
  const named = new Set(Object.values(paths).flat());
  return members.flatMap(member => {
    const field = named.has(member) ? undefined : others.fieldOf(member);
    return field === undefined ? [] : [[field, [member]] as const];
  });
}

/** Reads the JSON lines of a server. The user's mapping takes precedence over the server's names. */
export function readServerLog(
  source: LogSource,
  names: ServerNames,
  mapping: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const mappingOf = mappingByMembers(names, mapping);
  const { only } = names;
  const readObject = eachObject((record, place) => {
    const facts = new MappedFacts(record, mappingOf(record));
    const isOther = only === undefined ? facts.isEmpty : !isExchange(record, only);
    return isOther ? 'traffic/no-fields' : new RecordExchange(place, facts);
  });
  const readOther = names.otherLines?.(mapping);
  if (readOther === undefined) return readLog(source, readObject);
  return readLog(source, (text, place) => (/^\s*\{/.test(text) ? readObject : readOther)(text, place));
}

function isExchange(record: ParsedRecord, { object, logger, prefix }: ExchangeSigns): boolean {
  const name = record[logger];
  return isRecord(record[object]) && (typeof name !== 'string' || name.startsWith(prefix));
}

/** Returns the mapping for each record. The records of a log have few different sets of members. */
function mappingByMembers(
  names: ServerNames,
  mapping: FieldMapping,
): (record: ParsedRecord) => PreparedMapping<ParsedRecord> {
  if (names.others === undefined) {
    const access = names.nested === undefined ? PARSED : parsedWithin(names.nested);
    const prepared = prepareNames(names, mapping, access);
    return () => prepared;
  }
  const known = new Map<string, PreparedMapping<ParsedRecord>>();
  return record => {
    const members = Object.keys(record);
    const key = members.join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const paths = { ...names.paths, ...Object.fromEntries(otherPaths(names, members)) };
    const prepared = { ...prepareNames({ ...names, paths }, mapping, PARSED), ...listedHeaders(names, mapping) };
    if (known.size < MAX_MEMBER_SETS) known.set(key, prepared);
    return prepared;
  };
}

/** Logs may contain any number. */
const MAX_MEMBER_SETS = 100;

/** Returns how the members of records tell which headers were not sent, if they are all headers and the user says that the log has every header. */
function listedHeaders(
  { redacted, others }: ServerNames,
  { completeHeaders = false }: FieldMapping,
): Pick<PreparedMapping<ParsedRecord>, 'listedIn'> {
  if (redacted === undefined || !completeHeaders) return {};
  return {
    listedIn: (record, message) => {
      const withheld = Object.entries(record).flatMap(([member, value]) => {
        const header = value === redacted ? mappedHeader(others?.fieldOf(member) ?? '') : undefined;
        return header?.message === message ? [header.name.toLowerCase()] : [];
      });
      return { ...NO_HEADER_KNOWN, complete: true, withheld };
    },
  };
}

function prepareNames<R>(names: ServerNames, mapping: FieldMapping, access: RecordAccess<R>): PreparedMapping<R> {
  const { paths, missing, signs = missing, server, combined = {}, redacted, areRequestsWhole = false } = names;
  const { wholeHeaders, changesHost } = names;
  const { fields } = mapping;
  const own = prepareMapping(wholeHeaders ? { ...mapping, fields: { ...NO_SHORTHANDS, ...fields } } : mapping, access);
  const readerOf = (all: readonly string[] = [], none = missing) => firstOf(all.map(access.readerOf), none);
  const readers = RECORD_FIELDS.map((name, number) => {
    if (isMapped(name, mapping)) return own.readers[number]!;
    const combine = combined[name];
    return combine ? combinedBy(combine, (paths[name] ?? []).map(access.readerOf)) : readerOf(paths[name]);
  });
  const headers = Object.keys(paths).flatMap(name => {
    const header = HEADERS[name] ?? mappedHeader(name);
    return header === undefined || isMapped(name, mapping)
      ? []
      : [
          {
            ...header,
            read: unlessRedacted(readerOf(paths[name], []), redacted),
            ...absenceIn(mapping.absentIn, name),
          },
        ];
  });
  const others = Object.values(own.headers)
    .flat()
    .filter(({ name }) => !headers.some(one => one.name === name));
  const refusals = refusalsOf(server);
  const ofStatus = isMapped('status', mapping) ? [mapping.fields!.status!] : (paths.status ?? []);
  const statuses = ofStatus.filter(path => path !== '').map(access.unusualStatusReaderOf);
  const start = startOf(names, mapping);
  const late = lateHeaders(names, mapping, access);
  const rules = { ...own.rules, absence: absenceOf(signs, mapping.absent), complete: isComplete(names, mapping) };
  return {
    ...own,
    isServer: true,
    isRefused: record => !areRequestsWhole && statuses.some(read => isRefusal(read(record), refusals)),
    ...(server === 'Envoy' && { areHeadersWhole: true }),
    readers,
    places: GEO_FIELDS.map(field => readers[RECORD_FIELDS.indexOf(field)]!),
    ...(late && { late }),
    ...(start && { startOf: access.startReaderOf(start) }),
    ...(changesHost && { changesHost }),
    ...(changesHost &&
      !isMapped('target', mapping) && {
        authorities: (paths.target ?? []).map(path => access.authorityReaderOf(path, 'target')),
      }),
    rules,
    ...(wholeHeaders && {
      rulesIn: Object.fromEntries(
        MESSAGES.map(message => {
          const { redacted, withheld } = wholeHeaders;
          return [message, { ...rules, ...own.rulesIn[message], redacted, withheld: withheld[message] }];
        }),
      ),
    }),
    headers: headersByMessage([...others, ...headers]),
  };
}

/** Returns headers in members that other records than those of a sample may have, if an engine has to be told which are read. */
function lateHeaders<R>(
  { paths, others, redacted }: ServerNames,
  mapping: FieldMapping,
  { readOthers, readerOf }: RecordAccess<R>,
): PreparedMapping<R>['late'] {
  if (others === undefined || readOthers === undefined) return undefined;
  const named = new Set(Object.values(paths).flat());
  const headerOf = (message: MappedHeader['message'], lowerCase: string) => {
    const member = others.memberOf(message, lowerCase);
    const field = named.has(member) ? undefined : others.fieldOf(member);
    if (field?.toLowerCase() !== `${message}.${lowerCase}` || isMapped(field, mapping)) return undefined;
    const read = unlessRedacted(firstOf([readerOf(member)], []), redacted);
    return { lowerCase, name: mappedHeader(field)!.name, read, ...absenceIn(mapping.absentIn, field) };
  };
  const of = (message: MappedHeader['message']): LateHeaders<R> => {
    const known = new Map<string, SeparateHeader<R> | undefined>();
    return {
      named: lowerCase => {
        if (!known.has(lowerCase)) known.set(lowerCase, headerOf(message, lowerCase));
        return known.get(lowerCase);
      },
      readAll: readOthers,
    };
  };
  return { request_headers: of('request_headers'), response_headers: of('response_headers') };
}

/** The default names of single headers are not read. */
const NO_SHORTHANDS = { user_agent: '', referer: '' };

const MESSAGES = ['request_headers', 'response_headers'] as const;

const HEADERS: Readonly<Record<string, ReturnType<typeof mappedHeader>>> = {
  user_agent: { message: 'request_headers', name: 'User-Agent' },
  referer: { message: 'request_headers', name: 'Referer' },
};

function isMapped(name: string, { fields = {} }: FieldMapping): boolean {
  return Object.hasOwn(fields, name);
}

/** A value of a record that says nothing about its field. The record is not empty. */
const UNREADABLE = false;

function combinedBy<R>(combine: Combine, readers: readonly ((record: R) => unknown)[]): (record: R) => unknown {
  return record => {
    const found = combine(path => readers[path]!(record) ?? undefined);
    if (found !== undefined) return found;
    return readers.some(read => (read(record) ?? undefined) !== undefined) ? UNREADABLE : undefined;
  };
}

function unlessRedacted<R>(read: (record: R) => unknown, redacted: string | undefined): (record: R) => unknown {
  if (redacted === undefined) return read;
  return record => {
    const value = read(record);
    return value === redacted ? UNREADABLE : value;
  };
}

/** Returns null for a value that is logged as missing. */
function firstOf<R>(readers: readonly ((record: R) => unknown)[], missing: readonly string[]): (record: R) => unknown {
  return record => {
    for (const read of readers) {
      const value = read(record);
      if (value !== undefined) return typeof value === 'string' && missing.includes(value) ? null : value;
    }
    return undefined;
  };
}
