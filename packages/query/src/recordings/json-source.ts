/** JSON lines as columns of DuckDB, with an audit of the bytes that says whether DuckDB reads them exactly. */

import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import { DEFAULT_TRAFFIC_LIMITS, type ReadTrafficOptions } from '@tollgate/traffic';
import { type FieldMapping, USUAL_SIGNS } from '@tollgate/traffic/columns';
import { auditJsonLines, type LineExpectations } from '@tollgate/traffic-node';
import { type ColumnLayout, Inputs, rootsOf, UnsupportedHeadersError, UnsupportedQueryError } from './column-record.ts';
import { queryFailure, type Session, STORED, sqlName, sqlText } from './duckdb-session.ts';
import {
  anyOf,
  columnOf,
  type FileRows,
  type HeaderColumns,
  isoTime,
  type LoadedInputs,
  locatedRows,
  type ParsedRecord,
  type RecordingFile,
  type Source,
  withTime,
} from './source.ts';

/** Opens JSON lines. */
export function openJsonLines(
  files: readonly RecordingFile[],
  options: ReadTrafficOptions,
  headers: HeaderColumns,
): Source {
  const { mapping = {} } = options;
  const layout: ColumnLayout = {
    inputs: new Inputs(),
    objects: headers === 'each' ? objectsOf(mapping) : new Set(),
    signs: mapping.absent ?? USUAL_SIGNS,
  };
  const sample = files.flatMap(({ head }) => linesOf(head));
  const spelling = new Spellings(layout, sample);
  const single = singleHeaders(mapping);
  return {
    layout,
    mapping,
    sample,
    decode: (value, input) => {
      const { kind } = layout.inputs.all[input]!;
      if (kind === 'presence') return value === 'true' || value === true ? true : undefined;
      if (kind === 'sent') return value ?? undefined;
      return typeof value === 'string' ? parsed(value) : undefined;
    },
    isText: true,
    textOf: column =>
      `case when starts_with(${column}, '"') and not contains(${column}, '\\') then substring(${column}, 2, length(${column}) - 2) end`,
    load: async (session, { inputs, absent, time }) => {
      const expected = {
        ...expectations(layout, { inputs: [...inputs, ...absent], spelling, single }),
        ...limitsOf(options, session.stop),
      };
      const table = { layout, inputs, absent, spelling, time };
      await session.run(`create or replace table ${STORED}.raw as ${rawRows(table, columnsAsNothing(table))}`);
      const loaded: FileRows[] = [];
      for (const file of files) loaded.push(await loadFile(session, file, { table, expected }));
      return locatedRows(loaded);
    },
  };
}

/** Most values are plain strings. */
function parsed(text: string): unknown {
  return text.startsWith('"') && !text.includes('\\') ? text.slice(1, -1) : JSON.parse(text);
}

/** Members that hold headers, unless they are nested. */
function objectsOf({ fields = {} }: FieldMapping): ReadonlySet<string> {
  const paths = (['request_headers', 'response_headers'] as const).map(name => fields[name] ?? name);
  return new Set(paths.filter(path => path !== '' && !path.includes('.')));
}

function linesOf(head: Uint8Array): readonly ParsedRecord[] {
  const lines = bytesToUtf8(head).split('\n').slice(0, -1);
  return lines.flatMap(line => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as ParsedRecord] : [];
    } catch {
      return [];
    }
  });
}

/** How records spell the names of headers. */
class Spellings {
  readonly #found = new Map<string, string>();

  constructor({ objects }: ColumnLayout, sample: readonly ParsedRecord[]) {
    for (const record of sample) {
      for (const object of objects) {
        const held = record[object];
        if (typeof held === 'object' && held !== null) for (const name of Object.keys(held)) this.#add(name);
      }
    }
  }

  #add(name: string): void {
    const lower = name.toLowerCase();
    const known = this.#found.get(lower) ?? name;
    if (known !== name) throw new UnsupportedHeadersError(`records spell a header as \`${known}\` and as \`${name}\``);
    this.#found.set(lower, name);
  }

  /** The usual one if the sample does not contain the header: `X-Api-Key`. */
  of(lowerCase: string): string {
    return this.#found.get(lowerCase) ?? lowerCase.replace(/(?:^|-)[a-z]/g, start => start.toUpperCase());
  }
}

interface RawTable {
  readonly layout: ColumnLayout;
  readonly inputs: readonly number[];
  readonly absent: readonly number[];
  readonly spelling: Spellings;
  readonly time: LoadedInputs['time'];
}

function rawRows(table: RawTable, from: string): string {
  const { time } = table;
  return withTime(`select ${selection(table)} from ${from}`, time, time ? isoTime(columnOf(time.input), '"') : '');
}

/** The columns of `raw` in terms of the columns that are read. */
function selection(table: RawTable): string {
  const all = table.inputs.map(number => {
    const { kind } = table.layout.inputs.all[number]!;
    const value = textOf(table, number);
    return `${kind === 'sent' ? sentIn(value, table.layout.signs) : kind === 'presence' ? `${value} is not null` : value} as ${columnOf(number)}`;
  });
  return [...all, `${anyOf(table.absent.map(number => textOf(table, number)))} as other`].join(', ');
}

function textOf({ layout, spelling }: RawTable, number: number): string {
  const input = layout.inputs.all[number]!;
  if (input.kind === 'member') return `${sqlName(input.name)}::varchar`;
  if (input.kind === 'presence') return sqlName(input.object);
  return `${sqlName(input.object)}.${sqlName(spelling.of(input.name))}::varchar`;
}

/** A string or a number is one value, unless it may stand for none. Escaped strings are left to the reader of exchanges. */
function sentIn(value: string, signs: readonly string[]): string {
  const unclear = signs.map(sign => `when ${value} = ${sqlText(JSON.stringify(sign))} then 'several'`).join(' ');
  return `case when ${value} is null then null ${unclear}
    when starts_with(${value}, '"') then if(contains(${value}, '\\'), 'several', 'one')
    when ascii(${value}) = 45 or ascii(${value}) between 48 and 57 then 'one' else 'several' end`;
}

/** The types of the columns that are read. JSON is the value as it stands in the line. */
function typesOf({ layout, inputs, absent, spelling }: RawTable): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  const headers = new Map<string, string[]>();
  for (const number of [...inputs, ...absent]) {
    const input = layout.inputs.all[number]!;
    if (input.kind === 'member') types.set(input.name, 'JSON');
    else {
      const names = headers.get(input.object) ?? [];
      headers.set(input.object, names);
      if (input.kind !== 'presence') names.push(spelling.of(input.name));
    }
  }
  for (const [object, names] of headers) {
    if (types.has(object))
      throw new UnsupportedQueryError(`the mapping reads \`${object}\` both as headers and as a value`);
    // A struct has at least one member.
    const members = (names.length === 0 ? ['-'] : [...new Set(names)]).map(name => `${sqlName(name)} JSON`);
    types.set(object, `STRUCT(${members.join(', ')})`);
  }
  return types;
}

/** A table without rows, so that `raw` gets its types. */
function columnsAsNothing(table: RawTable): string {
  const nulls = [...typesOf(table)].map(([name, type]) => `null::${type} as ${sqlName(name)}`);
  return `(select ${nulls.join(', ') || 'null'} limit 0)`;
}

interface Loading {
  readonly table: RawTable;
  readonly expected: LineExpectations;
}

async function loadFile(
  session: Session,
  { file, compression }: RecordingFile,
  { table, expected }: Loading,
): Promise<FileRows> {
  const columns = [...typesOf(table)].map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`).join(', ');
  const from = `read_json(${sqlText(file)}, format = 'newline_delimited', columns = {${columns || "'-': 'JSON'"}}, compression = ${sqlText(compression)})`;
  const before = await countRows(session);
  const loading = session.run(`insert into raw ${rawRows(table, from)}`);
  const problem = auditJsonLines(file, expected).then(audit => {
    if (audit.kind === 'unfit') session.interrupt();
    return audit;
  });
  const [loaded, audit] = await Promise.allSettled([loading, problem]);
  if (audit.status === 'rejected') throw new UnsupportedQueryError(`\`${file}\` cannot be read to its end`);
  if (audit.value.kind === 'unfit') {
    const { line, problem, isInHeaders } = audit.value;
    throw new (isInHeaders ? UnsupportedHeadersError : UnsupportedQueryError)(`line ${line} of \`${file}\` ${problem}`);
  }
  if (loaded.status === 'rejected' && queryFailure(loaded.reason)?.isOutOfSpace) throw loaded.reason;
  if (loaded.status === 'rejected')
    throw new UnsupportedQueryError(`DuckDB cannot read every line of \`${file}\``, { cause: loaded.reason });
  const rows = (await countRows(session)) - before;
  if (rows !== audit.value.records) throw new UnsupportedQueryError(`DuckDB finds ${rows} records in \`${file}\``);
  return { file, rows, unit: 'line', empty: audit.value.empty };
}

async function countRows(session: Session): Promise<number> {
  const [row] = await session.rows('select count(*) from raw');
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
  { inputs: { all }, objects }: ColumnLayout,
  { inputs, spelling, single }: Pick<RawTable, 'inputs' | 'spelling'> & { readonly single: ReadonlySet<string> },
): Pick<LineExpectations, 'objects' | 'headers' | 'nullable'> {
  const read = inputs.map(number => all[number]!);
  const headers = read.flatMap(input =>
    'object' in input && input.kind !== 'presence' ? [[input.name, spelling.of(input.name)] as const] : [],
  );
  return {
    objects: [...objects].filter(object => read.some(input => input.kind !== 'member' && input.object === object)),
    headers: new Map(headers),
    nullable: read.flatMap(input => (input.kind === 'member' && single.has(input.name) ? [input.name] : [])),
  };
}

/** Members whose values are headers: null means that it was not sent. */
function singleHeaders({ fields = {} }: FieldMapping): ReadonlySet<string> {
  const paths = ['user_agent', 'referer'].map(name => fields[name] ?? name);
  const named = Object.entries(fields).flatMap(([name, path]) => (name.includes('.') ? [path] : []));
  return new Set([...paths, ...named].flatMap(rootsOf));
}
