/** A table with traffic: its columns, and the expressions in SQL that yield the inputs of a policy. */
import { ExternalError } from '@tollgate/diagnostics';
import type { Exchange } from '@tollgate/traffic';
import {
  type FieldMapping,
  type FieldReading,
  isReadColumn,
  MappedFacts,
  RecordExchange,
  readerOfPath,
  readingOf,
  TARGET_AUTHORITIES,
  withHeaderColumns,
} from '@tollgate/traffic/columns';
import { PARSED } from '@tollgate/traffic/reading';
import {
  type ColumnKind,
  type Dialect,
  type EngineRow,
  type EngineSession,
  unreadableTable,
} from '../engines/engine.ts';
import { timeInputsOf } from '../questions/run-context.ts';
import { type Input, Inputs, rootsOf } from '../recordings/column-record.ts';
import { type ParsedRecord, type Source, statusPatterns, valueIn } from '../recordings/source.ts';
import type { TimeColumn } from './record-times.ts';
import { type RowSelection, selectRows } from './select-rows.ts';
import { resolveFieldMapping, type SqlFieldMappingName } from './sql-field-mappings.ts';

/** A table that holds traffic. */
export interface TrafficTable {
  /** Its name, or a query in parentheses, in the SQL of the engine. */
  readonly table: string;
  readonly mapping: FieldMapping;
  /** SQL of fields that no column holds as it is, by the name of the field. */
  readonly expressions: Readonly<Record<string, string>>;
  /** The product whose usual columns the table has; `mapping` and `expressions` take precedence. */
  readonly ready?: SqlFieldMappingName | undefined;
}

/** The columns of a table that hold fields of exchanges. */
export interface TableSource extends Pick<Source, 'layout' | 'reading' | 'sample' | 'decode'> {
  /** Returns the value of an input as the engine groups it, in SQL; undefined if the table has none. */
  readonly valueOf: (input: number) => string | undefined;
  /** Returns a value of an input, in the SQL of the table or of a query over it, as the engine groups it. */
  readonly encode: (input: number, sql: string) => string;
  /** The values of all columns that hold fields, in SQL. */
  readonly values: readonly string[];
  /** What their values are named in records. */
  readonly fields: readonly string[];
  /** The names of all columns. */
  readonly columns: readonly string[];
  /** Returns the exchange with these values of all columns that hold fields. */
  readonly exchangeOf: (values: EngineRow) => Exchange;
  readonly kindOf: (input: number) => ColumnKind | undefined;
  /** Returns the value of an input as it is in the table, in SQL. */
  readonly rawOf: (input: number) => string;
  /** The column that holds an input with the time; undefined if the table has none. */
  readonly timeColumn: (input: number) => (TimeColumn & { readonly type: string }) | undefined;
  /** Throws an `ExternalError` if the column that would hold an input has a type that holds no field. */
  readonly requireReadable: (input: number) => void;
  /** An item of `from`: the rows that are replayed. */
  readonly from: string;
  /** As the user named it. */
  readonly table: string;
  /** The number of rows that were left out because their time is unknown. */
  readonly unknown: number;
  /** The number of rows that were left out because they are no requests. */
  readonly noRequests: number;
}

/** Rows to find out what is read. */
const SAMPLE = 1000;

interface FieldColumn {
  readonly sql: string;
  readonly kind: ColumnKind;
  /** In the words of the engine. */
  readonly type: string;
}

/** Finds the columns of a table that hold fields, and reads some rows. Throws an `ExternalError` if it has none. */
export async function openTable(
  session: EngineSession,
  traffic: TrafficTable,
  select: RowSelection = {},
): Promise<TableSource> {
  const { dialect } = session;
  const { table } = traffic;
  const all = `${table} tollgate_table`;
  const { names, columns, unreadable, mapping, reading, noRequest } = await findColumns(session, traffic, all);
  const layout = {
    inputs: new Inputs(),
    objects: new Set<string>(),
    signs: reading.signs,
    isComplete: mapping.completeHeaders ?? false,
  };
  const columnOf = (number: number) => {
    const input = layout.inputs.all[number]!;
    if (input.kind === 'member') return columns.get(input.name);
    if (input.kind === 'authority') return authorityIn(columns.get(input.name), input.field, dialect);
    return input.kind === 'unusual-status' ? unusualStatusIn(columns.get(input.name), dialect) : undefined;
  };
  const values = [...columns.values()].map(column => encoded(dialect, column.sql, column.kind));
  const decode = (value: string, number: number) => {
    const input = layout.inputs.all[number]!;
    return decoded(value, columnOf(number)!.kind, input.kind === 'member' ? input.name : '');
  };
  const recordOf = (row: EngineRow): ParsedRecord =>
    Object.fromEntries([...columns].map(([name, { kind }], at) => [name, decoded(row[at]!, kind, name)]));
  const sampleOf = async (from: string) => {
    const sample: ParsedRecord[] = [];
    for await (const rows of session.batches(`select ${values.join(', ')} from ${from} limit ${SAMPLE}`))
      for (const row of rows) sample.push(recordOf(row));
    return sample;
  };
  const whole = reading.prepare(PARSED);
  const timeColumnIn = (from: string, sample: readonly ParsedRecord[]) => (number: number) => {
    const column = columnOf(number);
    if (column === undefined) return undefined;
    const texts = sample.map(record => valueIn(record, layout.inputs.all[number]!, layout));
    return {
      ...column,
      from,
      table,
      sample: texts,
      decode: (key: string) => timeIn(reading, layout.inputs.all[number]!, decode(`=${key}`, number)),
    };
  };
  let sample = await sampleOf(all);
  const { timeInput } = timeInputsOf({ layout, reading, sample });
  const time = timeInput === undefined ? undefined : timeColumnIn(all, sample)(timeInput);
  const { from, unknown, noRequests } = await selectRows(
    session,
    { from: all, table, values, time, noRequest },
    select,
  );
  if (from !== all) sample = await sampleOf(from);
  return {
    ...{ layout, reading, sample, from, values, table, unknown, noRequests },
    ...{ columns: names, fields: [...columns.keys()] },
    timeColumn: timeColumnIn(from, sample),
    valueOf: number => {
      const column = columnOf(number);
      return column && encoded(dialect, column.sql, column.kind);
    },
    exchangeOf: row =>
      new RecordExchange({ file: table, number: 0, unit: 'table' }, new MappedFacts(recordOf(row), whole)),
    encode: (number, sql) => encoded(dialect, sql, columnOf(number)!.kind),
    kindOf: number => columnOf(number)?.kind,
    rawOf: number => columnOf(number)!.sql,
    requireReadable: number => {
      const input = layout.inputs.all[number]!;
      const message = unreadable.get('name' in input ? input.name : '');
      if (message !== undefined) throw unreadableTable(message);
    },
    decode: (value, number) => decode(String(value), number),
  };
}

interface FoundColumns {
  /** Of all columns of the table. */
  readonly names: readonly string[];
  /** By the name of the member that a reader of records would look up. */
  readonly columns: ReadonlyMap<string, FieldColumn>;
  /** Messages about columns with fields whose types hold none, by the same names. */
  readonly unreadable: ReadonlyMap<string, string>;
  readonly mapping: FieldMapping;
  readonly reading: FieldReading;
  /** Whether a row is no request, in SQL. */
  readonly noRequest: string | undefined;
}

async function findColumns(
  { dialect, describe }: EngineSession,
  { table, ready, ...written }: TrafficTable,
  from: string,
): Promise<FoundColumns> {
  const described = await describe(`select * from ${from}`);
  const names = described.map(({ name }) => name);
  refuseMissing(table, names, written.mapping);
  const resolved = ready === undefined ? undefined : resolveFieldMapping(ready, described, dialect);
  const { mapping, expressions } = resolved === undefined ? written : withReady(written, resolved);
  if (ready !== undefined && Object.values({ ...mapping.fields, ...expressions }).every(one => one === ''))
    throw unreadableTable(`no column of \`${table}\` belongs to the mapping \`${ready}\`; found ${shownNames(names)}`);
  if (resolved?.lacks)
    throw unreadableTable(
      `the mapping \`${ready}\` needs the column \`${resolved.lacks.column}\` to know ${resolved.lacks.toKnow}; \`${table}\` has ${shownNames(names)}`,
    );
  const computed = Object.entries(expressions).map(([field, sql]) => ({ name: `${COMPUTED}${field}`, field, sql }));
  const fields = Object.fromEntries(computed.map(({ field, name }) => [field, name]));
  const whole = withHeaderColumns({ ...mapping, fields: { ...mapping.fields, ...fields } }, names);
  const columns = new Map<string, FieldColumn>();
  const unreadable = new Map<string, string>();
  const add = (name: string, sql: string, { name: own, type }: { readonly name: string; readonly type: string }) => {
    if (!isReadColumn(name, whole)) return;
    const kind = dialect.kindOf(type);
    if (kind === undefined) unreadable.set(name, strangeType(own, type));
    else columns.set(name, { sql, kind, type });
  };
  for (const column of described) add(nameOf(column.name, names, whole), dialect.name(column.name), column);
  const types = await typesOf(describe, from, computed, written.expressions);
  for (const [at, { name, sql }] of computed.entries()) add(name, `(${sql})`, { name, type: types[at]! });
  if (columns.size === 0) throw unreadableTable([...unreadable.values()][0] ?? noColumns(table, names));
  return { names, columns, unreadable, mapping, reading: readingOf(whole), noRequest: resolved?.noRequest };
}

/** Some engines, or who created the table, write names in upper case. */
function nameOf(name: string, names: readonly string[], mapping: FieldMapping): string {
  const lower = name.toLowerCase();
  const isOnly = names.filter(one => one.toLowerCase() === lower).length === 1;
  return isOnly && !isReadColumn(name, mapping) && isReadColumn(lower, mapping) ? lower : name;
}

interface ComputedColumn {
  readonly field: string;
  readonly sql: string;
}

/** Returns the types of expressions. Those that the user wrote are asked one by one, so that an error names the field. */
async function typesOf(
  describe: EngineSession['describe'],
  from: string,
  computed: readonly ComputedColumn[],
  written: TrafficTable['expressions'],
): Promise<readonly string[]> {
  const found = new Map<string, string>();
  const ask = async (some: readonly ComputedColumn[]) => {
    if (some.length === 0) return;
    const types = await describe(`select ${some.map(({ sql }, at) => `${sql} as x${at}`).join(', ')} from ${from}`);
    for (const [at, { field }] of some.entries()) found.set(field, types[at]!.type);
  };
  await ask(computed.filter(({ field }) => !(field in written)));
  for (const one of computed.filter(({ field }) => field in written))
    await ask([one]).catch(error => {
      throw error instanceof ExternalError && error.code === 'engine/query-failed'
        ? unreadableTable(`\`sql\` of the field \`${one.field}\`: ${error.message}`)
        : error;
    });
  return computed.map(({ field }) => found.get(field)!);
}

/** Returns the authority of a column's whole URLs. JSON that is a string has quotes. */
function authorityIn(
  column: FieldColumn | undefined,
  field: keyof typeof TARGET_AUTHORITIES,
  { asText, matches, extract }: Dialect,
): FieldColumn | undefined {
  if (column?.kind !== 'text' && column?.kind !== 'json') return undefined;
  const { sql, kind } = column;
  const isText = kind === 'text';
  const pattern = isText
    ? TARGET_AUTHORITIES[field]
    : TARGET_AUTHORITIES[field].replace('^', '^"').replace('?#', '?#"');
  const text = isText ? sql : asText(sql, kind);
  const found = `${sql} is not null and ${matches(text, pattern)}`;
  return { sql: `(case when ${found} then ${extract(text, pattern)} end)`, kind: 'text', type: column.type };
}

/** Returns the time in the value of a column that holds it, possibly in a member of an object. */
function timeIn(reading: FieldReading, input: Input, value: unknown): unknown {
  if (input.kind !== 'member') return value;
  const { name } = input;
  const path = reading.pathsOf('time').find(one => rootsOf(one).includes(name)) ?? name;
  return path === name ? value : readerOfPath(path)({ [name]: value });
}

/** Returns a column's statuses that are not usual. */
function unusualStatusIn(column: FieldColumn | undefined, { asText, matches }: Dialect): FieldColumn | undefined {
  if (column === undefined) return undefined;
  const { sql, kind } = column;
  const text = asText(sql, kind);
  // As a string, JSON has quotes.
  const { usual, except } = statusPatterns(kind === 'json' ? '"?' : '');
  return {
    sql: `(case when ${matches(text, usual)} and not (${matches(text, except)}) then null else ${sql} end)`,
    kind,
    type: column.type,
  };
}

type WrittenMapping = Pick<TrafficTable, 'mapping' | 'expressions'>;

/** What the user wrote about a field takes precedence. */
function withReady(
  { mapping, expressions }: WrittenMapping,
  ready: ReturnType<typeof resolveFieldMapping>,
): WrittenMapping {
  const written = new Set(Object.keys({ ...mapping.fields, ...expressions }));
  const others = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([field]) => !written.has(field)));
  return {
    mapping: { ...mapping, fields: { ...others(ready.fields), ...mapping.fields } },
    expressions: { ...others(ready.expressions), ...expressions },
  };
}

/** No column has such a name by chance. */
const COMPUTED = 'sql:';

function strangeType(name: string, type: string): string {
  const shown = name.startsWith(COMPUTED)
    ? `the expression of \`${name.slice(COMPUTED.length)}\``
    : `column \`${name}\``;
  return `${shown} has the type \`${type}\`, which holds no field of an exchange; map the field to an expression with a string, number or time`;
}

const SHOWN = 12;

function shownNames(names: readonly string[]): string {
  return `${names
    .slice(0, SHOWN)
    .map(name => `\`${name}\``)
    .join(', ')}${names.length > SHOWN ? ' and others' : ''}`;
}

function noColumns(table: string, names: readonly string[]): string {
  return `no column of \`${table}\` holds a field of exchanges; found ${shownNames(names)}; map fields to columns with \`--mapping\` or \`--fields\``;
}

/** A default name may be missing, which makes the field unknown, but not one that somebody wrote. */
function refuseMissing(table: string, names: readonly string[], { fields = {} }: FieldMapping): void {
  for (const [field, path] of Object.entries(fields)) {
    const parts = path.split('.');
    const isFound = parts.some((_, at) => names.includes(parts.slice(0, at + 1).join('.')));
    if (path === '' || isFound) continue;
    const near = names.find(name => name.toLowerCase() === path.toLowerCase());
    const hint = near === undefined ? `found ${shownNames(names)}` : `did you mean \`${near}\`?`;
    throw unreadableTable(`\`${table}\` has no column \`${path}\` for the field \`${field}\`; ${hint}`);
  }
}

/** How a value that is null is encoded. The empty string is left to columns that a grouping set lacks. */
export const NOTHING = '-';

/** Returns a value as a string that is never null, in SQL: equal values have equal strings, by which the engine groups and joins. */
function encoded({ asText }: Dialect, sql: string, kind: ColumnKind): string {
  return `case when ${sql} is null then '${NOTHING}' else concat('=', ${asText(sql, kind)}) end`;
}

/** Returns the JSON data of an encoded value; undefined if it was null. */
function decoded(value: string, kind: ColumnKind, name: string): unknown {
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
