/** A table with traffic: its columns, and the expressions in SQL that yield the inputs of a policy. */
import {
  type FieldMapping,
  isReadColumn,
  readingOf,
  TARGET_AUTHORITIES,
  withHeaderColumns,
} from '@tollgate/traffic/columns';
import { type ColumnKind, type Dialect, type EngineSession, unreadableTable } from '../engines/engine.ts';
import { Inputs } from '../recordings/column-record.ts';
import { type ParsedRecord, type Source, STATUS_PATTERNS, valueIn } from '../recordings/source.ts';
import type { TimeColumn } from './record-times.ts';
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
  /** The values of all columns that hold fields, in SQL. */
  readonly values: readonly string[];
  readonly kindOf: (input: number) => ColumnKind | undefined;
  /** The column that holds an input with the time; undefined if the table has none. */
  readonly timeColumn: (input: number) => TimeColumn | undefined;
  /** An item of `from`. */
  readonly from: string;
  /** As the user named it. */
  readonly table: string;
}

/** Rows to find out what is read. */
const SAMPLE = 1000;

interface FieldColumn {
  readonly sql: string;
  readonly kind: ColumnKind;
}

/** Finds the columns of a table that hold fields, and reads some rows. Throws an `ExternalError` if it has none, or one of a type without meaning. */
export async function openTable(
  { dialect, describe, batches }: EngineSession,
  { table, ready, ...written }: TrafficTable,
): Promise<TableSource> {
  const from = `${table} tollgate_table`;
  const columns = await describe(`select * from ${from}`);
  const names = columns.map(({ name }) => name);
  refuseMissing(table, names, written.mapping);
  const { mapping, expressions } =
    ready === undefined ? written : withReady(written, resolveFieldMapping(ready, columns, dialect));
  if (ready !== undefined && Object.values({ ...mapping.fields, ...expressions }).every(one => one === ''))
    throw unreadableTable(`no column of \`${table}\` belongs to the mapping \`${ready}\`; found ${shownNames(names)}`);
  const computed = Object.entries(expressions).map(([field, sql]) => ({ name: `${COMPUTED}${field}`, field, sql }));
  const types =
    computed.length === 0
      ? []
      : await describe(`select ${computed.map(({ sql }, at) => `${sql} as x${at}`).join(', ')} from ${from}`);
  const fields = Object.fromEntries(computed.map(({ field, name }) => [field, name]));
  const whole = withHeaderColumns({ ...mapping, fields: { ...mapping.fields, ...fields } }, names);
  const reading = readingOf(whole);
  const all = new Map<string, FieldColumn>();
  const add = (name: string, sql: string, type: string) => {
    if (isReadColumn(name, whole)) all.set(name, { sql, kind: kindOf(dialect, name, type) });
  };
  for (const { name, type } of columns) add(name, dialect.name(name), type);
  for (const [at, { name, sql }] of computed.entries()) add(name, `(${sql})`, types[at]!.type);
  if (all.size === 0) throw noColumns(table, names);
  const layout = {
    inputs: new Inputs(),
    objects: new Set<string>(),
    signs: reading.signs,
    isComplete: mapping.completeHeaders ?? false,
  };
  const columnOf = (number: number) => {
    const input = layout.inputs.all[number]!;
    if (input.kind === 'member') return all.get(input.name);
    if (input.kind === 'authority') return authorityIn(all.get(input.name), input.field, dialect);
    return input.kind === 'unusual-status' ? unusualStatusIn(all.get(input.name), dialect) : undefined;
  };
  const values = [...all.values()].map(column => encoded(dialect, column.sql, column.kind));
  const sample: ParsedRecord[] = [];
  for await (const rows of batches(`select ${values.join(', ')} from ${from} limit ${SAMPLE}`))
    for (const row of rows)
      sample.push(Object.fromEntries([...all].map(([name, { kind }], at) => [name, decoded(row[at]!, kind, name)])));
  const decode = (value: string, number: number) => {
    const input = layout.inputs.all[number]!;
    return decoded(value, columnOf(number)!.kind, input.kind === 'member' ? input.name : '');
  };
  return {
    ...{ layout, reading, sample, from, values, table },
    timeColumn: number => {
      const column = columnOf(number);
      if (column === undefined) return undefined;
      const values = sample.map(record => valueIn(record, layout.inputs.all[number]!, layout));
      return { ...column, from, table, sample: values, decode: key => decode(`=${key}`, number) };
    },
    valueOf: number => {
      const column = columnOf(number);
      return column && encoded(dialect, column.sql, column.kind);
    },
    kindOf: number => columnOf(number)?.kind,
    decode: (value, number) => decode(String(value), number),
  };
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
  return { sql: `(case when ${found} then ${extract(text, pattern)} end)`, kind: 'text' };
}

/** Returns a column's statuses that are not usual. */
function unusualStatusIn(column: FieldColumn | undefined, { asText, matches }: Dialect): FieldColumn | undefined {
  if (column === undefined) return undefined;
  const { sql, kind } = column;
  const text = asText(sql, kind);
  const { usual, except } = STATUS_PATTERNS;
  return {
    sql: `(case when ${matches(text, usual)} and not (${matches(text, except)}) then null else ${sql} end)`,
    kind,
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

function kindOf(dialect: Dialect, name: string, type: string): ColumnKind {
  const kind = dialect.kindOf(type);
  if (kind !== undefined) return kind;
  const shown = name.startsWith(COMPUTED)
    ? `the expression of \`${name.slice(COMPUTED.length)}\``
    : `column \`${name}\``;
  throw unreadableTable(
    `${shown} has the type \`${type}\`, which holds no field of an exchange; map the field to an expression with a string, number or time`,
  );
}

const SHOWN = 12;

function shownNames(names: readonly string[]): string {
  return `${names
    .slice(0, SHOWN)
    .map(name => `\`${name}\``)
    .join(', ')}${names.length > SHOWN ? ' and others' : ''}`;
}

function noColumns(table: string, names: readonly string[]): Error {
  return unreadableTable(
    `no column of \`${table}\` holds a field of exchanges; found ${shownNames(names)}; map fields to columns with \`--mapping\` or \`--fields\``,
  );
}

/** A default name may be missing, which makes the field unknown, but not one that somebody wrote. */
function refuseMissing(table: string, names: readonly string[], { fields = {} }: FieldMapping): void {
  for (const [field, path] of Object.entries(fields)) {
    const parts = path.split('.');
    const isFound = parts.some((_, at) => names.includes(parts.slice(0, at + 1).join('.')));
    if (path === '' || isFound) continue;
    throw unreadableTable(
      `\`${table}\` has no column \`${path}\` for the field \`${field}\`; found ${shownNames(names)}`,
    );
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
