/** JSON lines as columns of DuckDB, with an audit of the bytes that finds the lines that DuckDB does not read exactly; these are read here. */

import { join } from 'node:path';
import { quotedName, singleQuoted } from '@tollgate/diagnostics';
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import { DEFAULT_TRAFFIC_LIMITS, type ReadTrafficOptions } from '@tollgate/traffic';
import {
  type FieldReading,
  RECORD_FIELDS,
  readingOf,
  type ServerNames,
  serverReading,
  startIn,
} from '@tollgate/traffic/columns';
import { parseObject, readJsonLines, readServerLog } from '@tollgate/traffic/reading';
import {
  auditJsonLines,
  copyLines,
  copyToLastLine,
  isCut,
  type LineAudit,
  type LineExpectations,
  LongLineError,
} from '@tollgate/traffic-node';
import {
  type ColumnLayout,
  type Input,
  Inputs,
  RepeatedHeader,
  rootsOf,
  UnsupportedQueryError,
} from './column-record.ts';
import { queryFailure, type Session } from './duckdb-session.ts';
import { EnumColumns } from './enum-columns.ts';
import { type LineSource, type LoadedLines, REPEATED, replaceOddRows } from './odd-rows.ts';
import {
  authorityInText,
  bitsOf,
  columnOf,
  inRange,
  isoTime,
  type LoadedInputs,
  lineOf,
  locatedRows,
  ownMember,
  type ParsedRecord,
  type RecordingFile,
  type Source,
  type SourceOptions,
  saysNothing,
  sentInJson,
  startInJson,
  unusualStatusIn,
  valueIn,
  withTime,
} from './source.ts';

/** Opens JSON lines, or a log of a server whose members have known names. */
export function openJsonLines(
  files: readonly RecordingFile[],
  { names, headers, range, firstRows, ...options }: ReadTrafficOptions & JsonLinesOptions,
): Source {
  const { mapping = {} } = options;
  if (names?.redacted !== undefined && mapping.completeHeaders)
    throw new UnsupportedQueryError('each record says which headers it withholds');
  const sample = files.flatMap(({ head }) => recordsIn(head));
  // The first line may be longer than what was read of the file.
  if (names?.otherLines !== undefined && !files.some(({ head }) => /^\ufeff?\s*\{/.test(bytesToUtf8(head))))
    throw new UnsupportedQueryError('the lines are not JSON');
  const members = [...new Set(sample.flatMap(Object.keys))];
  const reading = names === undefined ? readingOf(mapping) : serverReading(names, mapping, members);
  const layout: ColumnLayout = {
    inputs: new Inputs(),
    objects: headers === 'each' ? objectsOf(reading) : new Set(),
    signs: reading.signs,
    isComplete: reading.isComplete,
  };
  const spelling = new Spellings(layout, sample);
  const single = nullableMembers(reading);
  return {
    ...{ layout, reading, sample, row: 'rowid' },
    decode: (value, input) => {
      const { kind } = layout.inputs.all[input]!;
      if (kind === 'presence') return value === 'true' || value === true ? true : undefined;
      if (kind === 'sent') return value ?? undefined;
      if (kind === 'start') return typeof value === 'string' ? startOf(parsed(value)) : undefined;
      return typeof value === 'string' ? parsed(value) : undefined;
    },
    isText: true,
    textOf: column =>
      `case when starts_with(${column}, '"') and not contains(${column}, '\\') then substring(${column}, 2, length(${column}) - 2) end`,
    load: async (session, loading) => {
      const { inputs, absent } = loading;
      const silent = saysNothing(layout, loading, column => missingIn(column, reading));
      for (;;) {
        const table = { layout, spelling, ...loading };
        const read = [...inputs, ...absent].map(number => layout.inputs.all[number]!);
        const others = names?.others && headerMembers(names.others, read, members);
        const nullable = new Set([...single, ...(others?.known ?? [])]);
        const audited = expectations(layout, { inputs: [...inputs, ...absent], spelling, nullable });
        const expected = { ...audited, others, ...limitsOf(options, session.stop) };
        refuseLong(meanBytes(sample, inputs, layout));
        const enums = await enumColumns(session, { first: files[0]!, firstRows, table });
        await session.run(
          `create or replace table ${session.raw} as ${enums.rows(rawRows(table, columnsAsNothing(table)))}`,
        );
        try {
          const loaded: LoadedLines[] = [];
          const meaning = {
            ...{ layout, loading, enums, nullable, maxLineLength: expected.maxLineLength, silent },
            read: (source: LineSource) =>
              names === undefined ? readJsonLines(source, mapping) : readServerLog(source, names, mapping),
          };
          for (const file of files) loaded.push(await loadFile(session, file, { table, enums, expected }));
          await enums.finish();
          if (loaded.some(({ meanLength }) => meanLength > LONG)) refuseLong(await meanBytesIn(session, inputs));
          const { done, found } = await replaceOddRows(session, loaded, meaning);
          if (range !== undefined) await session.run(`delete from raw where not (${inRange('t', range)})`);
          return locatedRows(done, found);
        } catch (error) {
          // With the names of each record next to its values, DuckDB finds every spelling.
          if (!(error instanceof SpellingError) || spelling.isMixed) throw error;
          spelling.mix(error.header);
        }
      }
    },
  };
}

/** Most values are plain strings. A header that is there more than once is written in another way. */
function parsed(text: string): unknown {
  if (text.startsWith(REPEATED)) return new RepeatedHeader(JSON.parse(text.slice(REPEATED.length)));
  return text.startsWith('"') && !text.includes('\\') ? text.slice(1, -1) : JSON.parse(text);
}

function startOf(written: unknown): unknown {
  return Array.isArray(written) ? startIn(written[0], undefined) : written;
}

/** Bytes of the values of a record, on average. DuckDB does not group longer ones in bounded memory: it holds 2,048 rows at once, in several steps. */
const LONG = 2048;

function refuseLong(bytes: number): void {
  if (bytes > LONG) throw new UnsupportedQueryError(`the values of a record have more than ${LONG} bytes on average`);
}

function meanBytes(sample: readonly ParsedRecord[], inputs: readonly number[], layout: ColumnLayout): number {
  const lengthOf = (record: ParsedRecord, input: number) =>
    JSON.stringify(valueIn(record, layout.inputs.all[input]!, layout) ?? '').length;
  const lengths = sample.map(record => inputs.reduce((sum, input) => sum + lengthOf(record, input), 0));
  return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, sample.length);
}

async function meanBytesIn(session: Session, inputs: readonly number[]): Promise<number> {
  const lengths = inputs.map(input => `coalesce(strlen(${columnOf(input)}::varchar), 0)`);
  const [[mean] = []] = await session.rows(`select avg(${lengths.join(' + ') || '0'})::double from raw`);
  return Number(mean ?? 0);
}

/** How JSON lines are read. */
interface JsonLinesOptions extends SourceOptions {
  /** Undefined for the names of a mapping. */
  readonly names: ServerNames | undefined;
}

/** Members that hold headers, unless they are nested. */
function objectsOf({ pathsOf }: FieldReading): ReadonlySet<string> {
  const paths = ['request_headers', 'response_headers'].flatMap(pathsOf);
  return new Set(paths.filter(path => rootsOf(path).length === 1));
}

/** Escapes may hide what stands for a missing value. */
function missingIn(column: string, { missing }: FieldReading): string {
  if (missing.length === 0) return `${column} is null`;
  const signs = missing.map(sign => singleQuoted(JSON.stringify(sign))).join(', ');
  return `(${column} is null or ${column} in (${signs}) or contains(${column}, '\\'))`;
}

/** Returns the records of complete lines. The last line may be cut, and is then no object. */
function recordsIn(head: Uint8Array): readonly ParsedRecord[] {
  const records = bytesToUtf8(head).split('\n').map(parseObject);
  return records.filter(record => record !== undefined);
}

/** How records spell the names of headers. */
class Spellings {
  readonly #found = new Map<string, Set<string>>();
  #isMixed = false;

  constructor(layout: ColumnLayout, sample: readonly ParsedRecord[]) {
    for (const record of sample) {
      for (const object of layout.objects) {
        const held = ownMember(record, object);
        if (typeof held !== 'object' || held === null || Array.isArray(held)) continue;
        for (const [name, value] of Object.entries(held)) {
          this.#add(name);
          // As columns, null and nothing are the same.
          this.#isMixed ||= value === null;
        }
        this.#isMixed ||= Object.keys(held).length === 0 && !layout.isComplete;
      }
    }
  }

  #add(name: string): void {
    const lower = name.toLowerCase();
    const known = this.#found.get(lower) ?? new Set();
    this.#found.set(lower, known.add(name));
    this.#isMixed ||= known.size > 1;
  }

  /** Whether records spell a name in several ways, or name headers that were not sent. */
  get isMixed(): boolean {
    return this.#isMixed;
  }

  /** @param name another spelling; empty for a record without headers */
  mix(name: string): void {
    if (name !== '') this.#add(name);
    this.#isMixed = true;
  }

  /** The usual one if the sample does not contain the header: `X-Api-Key`. */
  of(lowerCase: string): readonly string[] {
    const usual = lowerCase.replace(/(?:^|-)[a-z]/g, start => start.toUpperCase());
    return [...(this.#found.get(lowerCase) ?? (this.#isMixed ? [usual, lowerCase] : [usual]))];
  }
}

/** Many records spell a header in another way than the sample. */
class SpellingError extends UnsupportedQueryError {
  readonly header: string;

  constructor(message: string, header: string) {
    super(message);
    this.header = header;
  }
}

interface RawTable extends LoadedInputs {
  readonly layout: ColumnLayout;
  readonly spelling: Spellings;
}

/** The rows of `raw`. */
function rawRows(table: RawTable, from: string): string {
  const { time } = table;
  return withTime(`select ${selection(table)} from ${from}`, time, time ? usualTime(table, time.input) : '');
}

function usualTime({ layout }: RawTable, input: number): string {
  const column = columnOf(input);
  return layout.inputs.all[input]!.kind === 'start' ? `try_cast(${column} as bigint)` : isoTime(column, '"');
}

/** The columns of `raw` in terms of the columns that are read. */
function selection(table: RawTable): string {
  const { layout, inputs, absent, spelling } = table;
  const all = inputs.map(number => {
    const input = layout.inputs.all[number]!;
    const value = input.kind === 'presence' ? presenceIn(table, input.object) : textOf(table, number);
    return `${input.kind === 'sent' ? sentInJson(input.name, value, layout) : value} as ${columnOf(number)}`;
  });
  const other = bitsOf(absent.map(number => textOf(table, number)));
  const odd = spelling.isMixed
    ? [...layout.objects].map(object => `coalesce(${oddIn(table, object)}, false)`).join(' or ')
    : '';
  return [...all, `${other} as other`, `${odd || 'false'} as odd`].join(', ');
}

function textOf({ layout, spelling }: RawTable, number: number): string {
  const input = layout.inputs.all[number]!;
  const memberText = (name: string) => `${quotedName(name)}::varchar`;
  if (input.kind === 'member') return memberText(input.name);
  if (input.kind === 'authority') return authorityInJson(memberText(input.name), input.field);
  if (input.kind === 'unusual-status') return unusualStatusIn(memberText(input.name), '"?');
  if (input.kind === 'others') return 'null::varchar';
  if (input.kind === 'start') {
    return startInJson(`coalesce(${input.times.map(memberText).join(', ')})`);
  }
  const object = quotedName(input.object);
  if (input.kind === 'presence') return object;
  const names = spelling.of(input.name);
  if (!spelling.isMixed) return `${object}.${quotedName(names[0]!)}::varchar`;
  const values = names.map(name => `${object}[${singleQuoted(name)}]::varchar`);
  const isNamed = names.map(name => `map_contains(${object}, ${singleQuoted(name)})`).join(' or ');
  return `coalesce(${values.join(', ')}, case when ${isNamed} then 'null' end)`;
}

/** Returns it as JSON. Most targets begin with a slash. */
function authorityInJson(value: string, field: Parameters<typeof authorityInText>[1]): string {
  const authority = authorityInText(`(${value}->>'$')`, field);
  return `case when starts_with(${value}, '"') and not starts_with(${value}, '"/') then to_json(${authority})::varchar end`;
}

/** Whether an object has headers, or says that there were none. */
function presenceIn({ layout, spelling }: RawTable, object: string): string {
  const held = quotedName(object);
  return !spelling.isMixed || layout.isComplete ? `${held} is not null` : `coalesce(cardinality(${held}) > 0, false)`;
}

/** Whether an object of headers has other spellings or several values of a name, or begins with a value that says nothing. */
function oddIn(table: RawTable, object: string): string {
  const { layout, inputs, absent } = table;
  const read = [...inputs, ...absent].filter(number => {
    const input = layout.inputs.all[number]!;
    return 'name' in input && 'object' in input && input.object === object;
  });
  const values = new Map(read.map(number => [(layout.inputs.all[number]! as { readonly name: string }).name, number]));
  if (![...inputs, ...absent].some(number => 'object' in layout.inputs.all[number]!)) return 'false';
  if (!typesOf(table).has(object)) return 'false';
  const held = quotedName(object);
  const silent = `not regexp_matches(map_values(${held})[1]::varchar, '^(?:["0-9-]|\\[["0-9-])')`;
  if (values.size === 0) return `coalesce(${silent}, false)`;
  const names = [...values.keys()].map(singleQuoted).join(', ');
  const found = [...values.values()].map(number => `(${textOf(table, number)} is not null)::integer`).join(' + ');
  return `len(list_filter(map_keys(${held}), lambda name: lower(name) in (${names}))) <> ${found} or coalesce(${silent}, false)`;
}

/** The types of the members that are read. JSON is the value as it stands in the line. */
function typesOf({ layout, inputs, absent, spelling }: RawTable): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  const headers = new Map<string, string[]>();
  for (const number of [...inputs, ...absent]) {
    const input = layout.inputs.all[number]!;
    if (input.kind === 'start') for (const name of input.times) types.set(name, 'JSON');
    else if (input.kind === 'others') continue;
    else if (!('object' in input)) types.set(input.name, 'JSON');
    else {
      const names = headers.get(input.object) ?? [];
      headers.set(input.object, names);
      if (input.kind !== 'presence') names.push(spelling.of(input.name)[0]!);
    }
  }
  for (const [object, names] of headers) {
    if (types.has(object))
      throw new UnsupportedQueryError(`the mapping reads \`${object}\` both as headers and as a value`);
    // A struct has at least one member.
    const members = (names.length === 0 ? ['-'] : [...new Set(names)]).map(name => `${quotedName(name)} JSON`);
    types.set(object, spelling.isMixed ? 'MAP(VARCHAR, JSON)' : `STRUCT(${members.join(', ')})`);
  }
  return types;
}

/** A table without rows, so that `raw` gets its types. */
function columnsAsNothing(table: RawTable): string {
  const nulls = [...typesOf(table)].map(([name, type]) => `null::${type} as ${quotedName(name)}`);
  return `(select ${nulls.join(', ') || 'null'} limit 0)`;
}

interface FirstRows {
  readonly first: RecordingFile;
  readonly firstRows: number;
  readonly table: RawTable;
}

/** Chooses columns by the first rows. */
function enumColumns(session: Session, { first, firstRows, table }: FirstRows): Promise<EnumColumns> {
  const { layout, inputs, time } = table;
  const strings = inputs.filter(input => input !== time?.input && layout.inputs.all[input]!.kind !== 'presence');
  const rows = rawRows(table, linesOf(first.file, first.compression, table));
  return EnumColumns.among(session, strings.map(columnOf), `${rows} limit ${firstRows}`);
}

/** Returns the columns that are read of a file. */
function linesOf(file: string, compression: RecordingFile['compression'], table: RawTable): string {
  const columns = [...typesOf(table)].map(([name, type]) => `${singleQuoted(name)}: ${singleQuoted(type)}`).join(', ');
  return `read_json(${singleQuoted(file)}, format = 'newline_delimited', columns = {${columns || "'-': 'JSON'"}}, compression = ${singleQuoted(compression)})`;
}

interface Loading {
  readonly table: RawTable;
  readonly enums: EnumColumns;
  readonly expected: Omit<LineExpectations, 'onBroken'>;
}

/** At so many lines, DuckDB may end one after another. */
const MAX_COPIES = 6;

/** Loads a file. Where DuckDB cannot read a line, it reads a copy of the file without that line. */
async function loadFile(session: Session, recording: RecordingFile, loading: Loading): Promise<LoadedLines> {
  const { file, compression } = recording;
  const hasCutEnd = compression === 'uncompressed' && (await isCut(file));
  const broken = new Set<number>();
  let audit: LineAudit | undefined;
  for (let copies = 0; copies < MAX_COPIES; copies++) {
    const copy = hasCutEnd || broken.size > 0 ? join(session.folder, 'copy.jsonl') : undefined;
    const last = copy !== undefined && broken.size === 0 ? await copyToLastLine(file, copy) : undefined;
    const lines = copy === undefined || last !== undefined ? [] : await copyWithout(file, copy, broken);
    await session.run('begin');
    const { rows, failure, found } = await readOnce(session, recording, { copy, audit, ...loading });
    audit = found;
    const count = found.records + found.empty.length;
    const replaced = last === undefined ? lines : [{ number: count, bytes: last, isBroken: true }];
    const others = found.odd.filter(({ number }) => !replaced.some(line => line.number === number));
    const more = others.filter(({ isBroken }) => isBroken).map(({ number }) => number);
    if (failure !== undefined) more.push(failure);
    await session.run(more.length === 0 ? 'commit' : 'rollback');
    if (more.length === 0) {
      if (rows !== found.records) throw new UnsupportedQueryError(`DuckDB finds ${rows} records in \`${file}\``);
      const odd = [...others, ...replaced].sort((one, other) => one.number - other.number);
      return { file, rows, odd, empty: found.empty, nulls: found.nulls, meanLength: found.bytes / Math.max(1, rows) };
    }
    if (last !== undefined) broken.add(count);
    if (failure !== undefined && broken.has(failure)) break;
    for (const number of more) broken.add(number);
  }
  throw new UnsupportedQueryError(`DuckDB cannot read every line of \`${file}\``);
}

async function copyWithout(...[file, copy, lines]: Parameters<typeof copyLines>): ReturnType<typeof copyLines> {
  try {
    return await copyLines(file, copy, lines);
  } catch (error) {
    throw error instanceof LongLineError ? new UnsupportedQueryError(error.message) : error;
  }
}

interface Reading extends Loading {
  readonly copy: string | undefined;
  readonly audit: LineAudit | undefined;
}

/** Reads a file or its copy while the lines are audited, unless they have been. Returns the line at which DuckDB ended, if it did. */
async function readOnce(
  session: Session,
  { file, compression }: RecordingFile,
  { table, enums, expected, copy, audit }: Reading,
): Promise<{ readonly rows: number; readonly failure: number | undefined; readonly found: LineAudit }> {
  const from = copy === undefined ? linesOf(file, compression, table) : linesOf(copy, 'uncompressed', table);
  const before = await countRows(session);
  const loading = session.run(`insert into raw ${enums.rows(rawRows(table, from))}`);
  let isInterrupted = false;
  const onBroken = () => {
    // In the copy, lines that were found before are no longer broken.
    if (copy !== undefined || isInterrupted) return;
    isInterrupted = true;
    session.interrupt();
  };
  const auditing = audit ?? auditJsonLines(file, { ...expected, onBroken });
  const [loaded, audited] = await Promise.allSettled([loading, auditing]);
  if (audited.status === 'rejected') throw new UnsupportedQueryError(`\`${file}\` cannot be read to its end`);
  const { fault } = audited.value;
  if (fault !== undefined) {
    const message = `line ${fault.line} of \`${file}\` ${fault.problem}`;
    throw fault.header === undefined ? new UnsupportedQueryError(message) : new SpellingError(message, fault.header);
  }
  if (loaded.status === 'fulfilled')
    return { rows: (await countRows(session)) - before, failure: undefined, found: audited.value };
  const failure = queryFailure(loaded.reason);
  if (failure?.isOutOfSpace) throw loaded.reason;
  const record = isInterrupted ? undefined : failure?.record;
  if (record === undefined && !isInterrupted)
    throw new UnsupportedQueryError(`DuckDB cannot read every line of \`${file}\``, { cause: loaded.reason });
  const line = record === undefined ? undefined : lineOf(record - 1, audited.value.empty);
  return { rows: 0, failure: line, found: audited.value };
}

async function countRows(session: Session): Promise<number> {
  const [row] = await session.rows('select count(*)::double from raw');
  return Number(row![0]);
}

function limitsOf(
  { limits, onBytes }: ReadTrafficOptions,
  stop: AbortSignal | undefined,
): Pick<LineExpectations, 'maxLineLength' | 'onBytes'> {
  return {
    maxLineLength: limits?.maxLineLength ?? DEFAULT_TRAFFIC_LIMITS.maxLineLength,
    onBytes: bytes => {
      stop?.throwIfAborted();
      onBytes?.(bytes);
    },
  };
}

/** What the audit must find in every line for the columns to mean the same as the lines. */
function expectations(
  { inputs: { all }, objects, isComplete }: ColumnLayout,
  { inputs, spelling, nullable }: Pick<RawTable, 'inputs' | 'spelling'> & { readonly nullable: ReadonlySet<string> },
): Pick<LineExpectations, 'objects' | 'isComplete' | 'headers' | 'nullable'> {
  const read = inputs.map(number => all[number]!);
  const headers = read.flatMap(input =>
    'object' in input && input.kind !== 'presence' ? [[input.name, spelling.of(input.name)[0]!] as const] : [],
  );
  return {
    isComplete,
    objects: [...objects].filter(object => read.some(input => 'object' in input && input.object === object)),
    headers: spelling.isMixed ? undefined : new Map(headers),
    nullable: read.flatMap(input => (input.kind === 'member' && nullable.has(input.name) ? [input.name] : [])),
  };
}

/** Returns the members that hold headers which are read, and how those are found that the sample lacks. */
function headerMembers(
  { fieldOf, pattern }: NonNullable<ServerNames['others']>,
  inputs: readonly Input[],
  sample: readonly string[],
): NonNullable<LineExpectations['others']> {
  const areAllRead = inputs.some(({ kind }) => kind === 'others');
  const named = inputs.flatMap(input => (input.kind === 'member' ? [input.name] : []));
  const headers = [...new Set([...sample, ...named])].filter(member => fieldOf(member) !== undefined);
  const known = areAllRead ? headers : headers.filter(member => named.includes(member));
  const keyOf = (member: string) => fieldOf(member)?.toLowerCase();
  const keys = new Set(known.map(keyOf));
  if (headers.filter(member => keys.has(keyOf(member))).length > keys.size)
    throw new UnsupportedQueryError('several members hold the same header');
  return {
    ...{ pattern, known },
    isRead: member => fieldOf(member) !== undefined && (areAllRead || keys.has(keyOf(member))),
  };
}

/** Members in which null is a value: that a header was not sent, or that no other member holds the field. */
function nullableMembers({ headers, pathsOf, combined, start }: FieldReading): ReadonlySet<string> {
  const first = [...RECORD_FIELDS, ...headers].filter(
    field => !combined.includes(field) && !(field === 'time' && start),
  );
  const before = first.flatMap(field => pathsOf(field).slice(0, -1));
  return new Set([...headers.flatMap(pathsOf), ...before].flatMap(rootsOf));
}
