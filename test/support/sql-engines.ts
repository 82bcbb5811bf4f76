import { DuckDBInstance } from '@duckdb/node-api';
import { type Input, type SqlDialectName, sqlDialectFacts } from '@tollgate/compile';
import pg from 'pg';
import { clickhouseForTests } from './clickhouse.ts';
import { type ConnectedEngine, sparkForTests, trinoForTests } from './cluster-engines.ts';
import { postgresForTests } from './postgres.ts';

type Row = readonly (string | null)[];

/** A value of a column; undefined for null. */
type CellValue = string | number | boolean | undefined | Readonly<Record<string, readonly string[]>>;

/** An engine with a table that queries read. */
export interface SqlEngine {
  readonly dialect: SqlDialectName;
  /** Replaces the table `traffic`: the columns `row`, from 0, and `c0` and so on for the inputs. */
  readonly fill: (inputs: readonly Input[], rows: readonly (readonly CellValue[])[]) => Promise<void>;
  /** As the queries name it. */
  readonly table: string;
  readonly run: (sql: string) => Promise<readonly Row[]>;
  /** Runs a statement without a result. */
  readonly execute: (sql: string) => Promise<unknown>;
  /** Returns a list of strings as one, with `|` between them. */
  readonly joined: (list: string) => string;
  readonly stop: () => Promise<void>;
}

/** DuckDB in this process. */
export async function duckdbEngine(): Promise<SqlEngine> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const run = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as readonly Row[];
  return {
    ...{ dialect: 'duckdb', table: 'traffic', run, execute: run },
    fill: async (inputs, rows) => {
      const json = quoted(JSON.stringify(records(inputs, rows)));
      const types = Object.fromEntries(columns(inputs, 'duckdb'));
      await run(
        `create or replace table traffic as select unnest(from_json(${json}, '${JSON.stringify([types])}'), recursive := false) as one`,
      );
      await run('create or replace table traffic as select one.* from traffic');
    },
    joined: list => `array_to_string(${list}, '|')`,
    stop: async () => connection.closeSync(),
  };
}

/** PostgreSQL, started for the tests; undefined where it is not installed. */
export async function postgresEngine(): Promise<SqlEngine | undefined> {
  const server = await postgresForTests();
  if (server === undefined) return undefined;
  const client = new pg.Client(await server.newDatabase());
  await client.connect();
  const run = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows as Row[];
  return {
    ...{ dialect: 'postgres', table: 'traffic', run, execute: run },
    fill: async (inputs, rows) => {
      await run('drop table if exists traffic');
      await run(`create table traffic(${definition(columns(inputs, 'postgres'))})`);
      await client.query('insert into traffic select * from json_populate_recordset(null::traffic, $1)', [
        JSON.stringify(records(inputs, rows)),
      ]);
    },
    joined: list => `array_to_string(${list}, '|')`,
    stop: async () => {
      await client.end();
      server.stop();
    },
  };
}

/** The engine of ClickHouse; undefined where it is not installed. */
export async function clickhouseEngine(): Promise<SqlEngine | undefined> {
  const server = await clickhouseForTests();
  if (server === undefined) return undefined;
  return {
    ...{ dialect: 'clickhouse', table: 'traffic', execute: server.run },
    fill: async (inputs, rows) => {
      await server.run('drop table if exists traffic');
      await server.run(`create table traffic(${definition(columns(inputs, 'clickhouse'))}) engine = Memory`);
      const asText = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
      const lines = records(inputs, rows).map(record =>
        JSON.stringify(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, asText(value)]))),
      );
      await server.run(`insert into traffic format JSONEachRow ${lines.join('\n')}`);
    },
    run: async sql => {
      const lines = (await server.run(`${sql} format JSONCompactEachRow`)).split('\n').filter(line => line !== '');
      return lines.map(line => JSON.parse(line) as Row);
    },
    joined: list => `arrayStringConcat(${list}, '|')`,
    stop: async () => server.stop(),
  };
}

/** Trino, where the environment names one. */
export async function trinoEngine(): Promise<SqlEngine | undefined> {
  const engine = await trinoForTests();
  return engine && clusterEngine(engine, 'trino');
}

/** Spark, where the environment names one. */
export async function sparkEngine(): Promise<SqlEngine | undefined> {
  const engine = await sparkForTests();
  return engine && clusterEngine(engine, 'spark');
}

function clusterEngine({ run, session, stop }: ConnectedEngine, dialect: 'trino' | 'spark'): SqlEngine {
  const { text } = session.dialect;
  return {
    ...{ dialect, run, execute: run, stop, table: dialect === 'spark' ? 'global_temp.decided' : 'decided' },
    fill: async (inputs, rows) => {
      const names = columns(inputs, dialect);
      const json = text(JSON.stringify(records(inputs, rows)));
      if (dialect === 'spark') {
        const types = names.map(([name, type]) => `${name}:${type}`).join(',');
        await run(
          `create or replace global temporary view decided as select inline(from_json(${json}, 'array<struct<${types}>>'))`,
        );
        return;
      }
      await run('drop table if exists decided');
      const list = names.map(([name]) => name).join(', ');
      await run(`create table decided as select ${list} from
        unnest(cast(json_parse(${json}) as array(row(${definition(names)})))) as given(${list})`);
    },
    joined: list => `array_join(${list}, '|')`,
  };
}

const TYPES: Readonly<Record<SqlDialectName, Readonly<Record<'string' | 'int' | 'bool', string>>>> = {
  duckdb: { string: 'VARCHAR', int: 'BIGINT', bool: 'BOOLEAN' },
  postgres: { string: 'text', int: 'bigint', bool: 'boolean' },
  clickhouse: { string: 'Nullable(String)', int: 'Nullable(Int64)', bool: 'Nullable(Bool)' },
  trino: { string: 'varchar', int: 'bigint', bool: 'boolean' },
  spark: { string: 'string', int: 'bigint', bool: 'boolean' },
};

function columns(inputs: readonly Input[], dialect: SqlDialectName): readonly (readonly [string, string])[] {
  const types = TYPES[dialect];
  const own = inputs.map(({ type }, at) => {
    return [`c${at}`, type === 'headers' ? sqlDialectFacts(dialect).headerType : types[type]] as const;
  });
  return [['row', dialect === 'clickhouse' ? 'Int64' : types.int], ...own];
}

function definition(list: ReturnType<typeof columns>): string {
  return list.map(([name, type]) => `"${name}" ${type}`).join(', ');
}

function records(inputs: readonly Input[], rows: readonly (readonly CellValue[])[]) {
  return rows.map((row, at) => ({
    row: at,
    ...Object.fromEntries(inputs.map((_, index) => [`c${index}`, row[index]])),
  }));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
