/** JSON lines as columns of DuckDB, with an audit of the bytes that finds the lines that DuckDB does not read exactly; these are read here. */

import { join } from 'node:path';
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
import { missingIn, noRows, type RawTable, rowsIn, Spellings } from './json-columns.ts';
import { type LineSource, type LoadedLines, REPEATED, replaceOddRows } from './odd-rows.ts';
import {
  columnOf,
  inRange,
  lineOf,
  locatedRows,
  type ParsedRecord,
  type RecordingFile,
  type Source,
  type SourceOptions,
  saysNothing,
  valueIn,
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
        await session.run(`create or replace table ${session.raw} as ${enums.rows(noRows(table))}`);
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

/** Returns the records of complete lines. The last line may be cut, and is then no object. */
function recordsIn(head: Uint8Array): readonly ParsedRecord[] {
  const records = bytesToUtf8(head).split('\n').map(parseObject);
  return records.filter(record => record !== undefined);
}

/** Many records spell a header in another way than the sample. */
class SpellingError extends UnsupportedQueryError {
  readonly header: string;

  constructor(message: string, header: string) {
    super(message);
    this.header = header;
  }
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
  return EnumColumns.among(session, strings.map(columnOf), `${rowsIn(first, table)} limit ${firstRows}`);
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
  const from = copy === undefined ? { file, compression } : ({ file: copy, compression: 'uncompressed' } as const);
  const before = await countRows(session);
  const loading = session.run(`insert into raw ${enums.rows(rowsIn(from, table))}`);
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
