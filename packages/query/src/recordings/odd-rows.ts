/** Rows of JSON lines that DuckDB does not read as the reader in process does: that reader reads them, and their rows get its values. */
import { singleQuoted } from '@tollgate/diagnostics';
import type { SkippedRecord, TrafficBatch } from '@tollgate/traffic';
import { parseObject } from '@tollgate/traffic/reading';
import { linesAt, MAX_ODD, type OddLine } from '@tollgate/traffic-node';
import { type ColumnLayout, RepeatedHeader, UnsupportedQueryError } from './column-record.ts';
import type { Session } from './duckdb-session.ts';
import type { EnumColumns } from './enum-columns.ts';
import { columnOf, type FileRows, type LoadedInputs, lineOf, type ParsedRecord, valueIn } from './source.ts';

/** The rows of a file, as many as it has lines that are not blank. */
export interface LoadedLines {
  readonly file: string;
  readonly rows: number;
  /** One-based numbers of blank lines. */
  readonly empty: readonly number[];
  readonly odd: readonly OddLine[];
  /** Of a line, in bytes. */
  readonly meanLength: number;
  /** The numbers of lines in which a member is null, by its name. */
  readonly nulls: ReadonlyMap<string, readonly number[]>;
}

/** Lines to read. */
export interface LineSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly file: string;
  readonly maxLineLength: number;
}

/** What the columns of `raw` mean. */
interface RowMeaning {
  readonly layout: ColumnLayout;
  /** Reads lines as a replay in process does. */
  readonly read: (source: LineSource) => AsyncGenerator<TrafficBatch>;
  readonly loading: LoadedInputs;
  readonly enums: EnumColumns;
  /** Members in which null is a value. */
  readonly nullable: ReadonlySet<string>;
  /** That a row has none of the fields that are read, in SQL; also where only the reader knows. */
  readonly silent: string;
  readonly maxLineLength: number;
}

/** The rows of files, and the inputs that were expected in no record and that few have. */
interface ReplacedRows {
  readonly done: readonly FileRows[];
  readonly found: readonly number[];
}

/** Writes the values of odd lines to their rows in `raw`, and removes the rows of those that are not exchanges. */
export async function replaceOddRows(
  session: Session,
  files: readonly LoadedLines[],
  meaning: RowMeaning,
): Promise<ReplacedRows> {
  const unread = await unreadRows(session, meaning);
  const columns = new RawColumns(session, meaning.loading);
  const done: FileRows[] = [];
  let first = 0;
  for (const { file, rows, empty, odd, nulls } of files) {
    const end = first + rows;
    const rowOf = (line: number) => first + line - 1 - blanksBefore(line, empty);
    const known = new Set(odd.map(({ number }) => number));
    const own = unread.filter(row => row >= first && row < end);
    const others = new Set(own.map(row => lineOf(row - first, empty)).filter(line => !known.has(line)));
    const lines = [...odd, ...(others.size === 0 ? [] : await linesAt(file, others))];
    lines.sort((one, other) => one.number - other.number);
    await markNulls(session, meaning, { nulls, rowOf, columns });
    const { skipped, records } = await readLines(file, lines, meaning);
    const byRow = new Map([...records].map(([line, record]) => [rowOf(line), record]));
    await writeRecords(session, meaning, { records: byRow, columns });
    const blank = new Set(empty);
    const removed = skipped.filter(({ place }) => !blank.has(place.number)).map(({ place }) => rowOf(place.number));
    if (removed.length > 0) await session.run(`delete from raw where rowid in (${removed.join(', ')})`);
    done.push({ file, rows, removed: removed.length, unit: 'line', empty, skipped });
    first = end;
  }
  return { done, found: columns.found };
}

/** The columns of `raw`. */
class RawColumns {
  readonly #session: Session;
  readonly #loading: LoadedInputs;
  readonly found: number[] = [];

  constructor(session: Session, loading: LoadedInputs) {
    this.#session = session;
    this.#loading = loading;
  }

  get inputs(): readonly number[] {
    return [...this.#loading.inputs, ...this.found];
  }

  /** Adds the column of an input that was expected in no record. */
  async add(input: number): Promise<void> {
    if (this.found.includes(input)) return;
    this.found.push(input);
    await this.#session.run(`alter table raw add column ${columnOf(input)} varchar`);
  }
}

/** Returns the rows whose headers DuckDB does not read, those without any field that is loaded, and those with one that is not. */
async function unreadRows(session: Session, { silent }: RowMeaning): Promise<readonly number[]> {
  const odd = `odd or (${silent})`;
  const rowsWhere = (condition: string) =>
    session.rows(`select rowid::double from raw where ${condition} order by all limit ${MAX_ODD + 1}`);
  let rows = await rowsWhere(`other <> 0 or ${odd}`);
  // Values that were not expected and that many have are loaded anew.
  if (rows.length > MAX_ODD) rows = await rowsWhere(odd);
  if (rows.length > MAX_ODD) throw new UnsupportedQueryError(`more than ${MAX_ODD} records are odd`);
  return rows.map(([number]) => Number(number));
}

function blanksBefore(line: number, empty: readonly number[]): number {
  const at = empty.findIndex(number => number >= line);
  return at < 0 ? empty.length : at;
}

interface NullLines extends Pick<LoadedLines, 'nulls'> {
  readonly rowOf: (line: number) => number;
  readonly columns: RawColumns;
}

/** Engines read null as nothing. */
async function markNulls(
  session: Session,
  { layout, loading }: RowMeaning,
  { nulls, rowOf, columns }: NullLines,
): Promise<void> {
  for (const [name, lines] of nulls) {
    const input = layout.inputs.numberOf({ kind: 'member', name });
    if (loading.absent.includes(input)) await columns.add(input);
    else if (!loading.inputs.includes(input)) continue;
    await session.run('create or replace table nulls(rid bigint)');
    await session.append('nulls', [lines.map(rowOf)], 'wide');
    await session.run(
      `update raw set ${columnOf(input)} = 'null' from nulls where raw.rowid = nulls.rid; drop table nulls`,
    );
  }
}

interface ReadLines {
  readonly skipped: readonly SkippedRecord[];
  /** By line. */
  readonly records: ReadonlyMap<number, ParsedRecord>;
}

/** Reads lines as a replay in process does. */
async function readLines(
  file: string,
  lines: readonly OddLine[],
  { read, maxLineLength }: RowMeaning,
): Promise<ReadLines> {
  const skipped: SkippedRecord[] = [];
  const records = new Map<number, ParsedRecord>();
  if (lines.length === 0) return { skipped, records };
  // Only at the start of a file, a byte order mark is not part of the line.
  const offset = lines[0]!.number === 1 ? 1 : 2;
  const bytes = Buffer.concat([
    ...(offset === 1 ? [] : [Buffer.from('\n')]),
    ...lines.flatMap(line => [line.bytes, Buffer.from('\n')]),
  ]);
  for await (const batch of read({ bytes: once(bytes), file, maxLineLength })) {
    for (const record of batch.skipped) {
      const number = lines[record.place.number - offset]!.number;
      skipped.push({ ...record, place: { ...record.place, number } });
    }
    for (const { place } of batch.exchanges) {
      const line = lines[place.number - offset]!;
      const text = Buffer.from(line.bytes)
        .toString()
        .replace(line.number === 1 ? /^\ufeff/ : '', '');
      const record = parseObject(text);
      if (record === undefined)
        throw new UnsupportedQueryError(`line ${line.number} of \`${file}\` is not JSON, but a line of an access log`);
      records.set(line.number, record);
    }
  }
  return { skipped, records };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Rows that a statement inserts. */
const CHUNK = 500;

interface RowRecords {
  readonly records: ReadonlyMap<number, ParsedRecord>;
  readonly columns: RawColumns;
}

/** Writes records to rows of `raw`. Times are read from their values. */
async function writeRecords(
  session: Session,
  { layout, loading: { absent }, enums, nullable }: RowMeaning,
  { records, columns: all }: RowRecords,
): Promise<void> {
  if (records.size === 0) return;
  const isStored = (record: ParsedRecord, input: number) => stored(record, input, { layout, nullable }) !== 'null';
  for (const input of absent) if ([...records.values()].some(record => isStored(record, input))) await all.add(input);
  const columns = all.inputs.map(columnOf);
  await session.run(`create or replace table odd(rid bigint${columns.map(column => `, ${column} varchar`).join('')})`);
  const rows = [...records].map(([number, record]) => {
    const values = all.inputs.map(input => stored(record, input, { layout, nullable }));
    return `(${[number, ...values].join(', ')})`;
  });
  for (let at = 0; at < rows.length; at += CHUNK)
    await session.run(`insert into odd values ${rows.slice(at, at + CHUNK).join(', ')}`);
  await enums.include('odd');
  const sets = columns.map(column => `${column} = odd.${column}`).join(', ');
  await session.run(
    `update raw set ${sets ? `${sets}, ` : ''}other = 0, t = null from odd where raw.rowid = odd.rid; drop table odd`,
  );
}

/** What begins the text of a header that is there more than once, and no JSON. */
export const REPEATED = '@';

/** Returns the value of an input as a literal in SQL, as it stands in `raw`. */
function stored(
  record: ParsedRecord,
  number: number,
  { layout, nullable }: Pick<RowMeaning, 'layout' | 'nullable'>,
): string {
  const input = layout.inputs.all[number]!;
  const value = valueIn(record, input, layout);
  if (input.kind === 'presence') return String(value === true);
  if (value === undefined) return 'null';
  if (input.kind === 'sent') return singleQuoted(String(value));
  if (value instanceof RepeatedHeader) return singleQuoted(`${REPEATED}${JSON.stringify(value.headers)}`);
  if (value === null && input.kind === 'member' && !nullable.has(input.name)) return 'null';
  return singleQuoted(JSON.stringify(value));
}
