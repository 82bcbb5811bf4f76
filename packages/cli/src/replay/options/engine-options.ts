import type { TableEngine } from '@tollgate/query';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** What decides exchanges: DuckDB in groups, or JavaScript one by one; or an engine that holds the traffic in a table. */
export type EngineName = 'duckdb' | 'js' | TableEngine;

/** The engines of `--table` by name. */
const TABLE_ENGINE_PRODUCTS: Readonly<Record<TableEngine, string>> = {
  ...{ postgres: 'PostgreSQL', clickhouse: 'ClickHouse', trino: 'Trino', spark: 'Spark' },
};

/** All engines but JavaScript. */
export const ENGINE_PRODUCTS: Readonly<Record<Exclude<EngineName, 'js'>, string>> = {
  ...{ duckdb: 'DuckDB', ...TABLE_ENGINE_PRODUCTS },
};

/** Whether an engine holds the traffic in a table. */
export function isTableEngine(name: EngineName): name is TableEngine {
  return Object.hasOwn(TABLE_ENGINE_PRODUCTS, name);
}

/** The options of {@link addEngineOptions}, as given. */
export interface EngineOptions {
  readonly engine?: EngineName;
  /** Of DuckDB. */
  readonly threads?: number;
  /** A name, or a query in parentheses. */
  readonly table?: string;
  readonly connect?: string;
}

/** Adds `--engine` and the options of engines that hold traffic in tables. */
export function addEngineOptions(command: Command): Command {
  const engine = new Option(
    '--engine <name>',
    'what decides the traffic: `duckdb`, for JSON lines and Parquet, or `js`; by default `duckdb` for Parquet, and for JSON lines from 192 MB on. With `--table`: ' +
      '`postgres`, `clickhouse`, `trino` or `spark`, where the traffic is',
  );
  const threads = new Option('--threads <number>', 'number of threads that DuckDB uses; by default one per processor');
  engine.choices(['duckdb', 'js', ...Object.keys(TABLE_ENGINE_PRODUCTS)]);
  return command
    .addOption(engine)
    .addOption(threads.argParser(parseThreads))
    .addOption(
      new Option(
        '--table <sql>',
        'table with the traffic, or a query in parentheses such as `(select * from logs where day = 1)`; instead of recordings',
      ),
    )
    .addOption(
      new Option(
        '--connect <url>',
        'where the engine of `--table` is, such as `postgres://user@host/db`, `https://user@host:8443/` or `spark://user@host:10000/`; by ' +
          'default what `PGHOST` and its like, `CLICKHOUSE_URL`, `TRINO_URL` or `SPARK_URL` say',
      ),
    );
}

const MAX_THREADS = 64;

function parseThreads(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= MAX_THREADS) return number;
  throw new InvalidArgumentError(`expected an integer from 1 to ${MAX_THREADS}.`);
}

/** What to say about `--threads` where only JavaScript decides; undefined if nothing was requested that it cannot do. */
export function threadsRemark({ threads }: EngineOptions): string | undefined {
  return threads === undefined || threads === 1
    ? undefined
    : '`--threads` has no effect: only DuckDB uses several threads';
}

/** Ends the command if options of tables do not fit together. */
export function requireTraffic(
  command: Command,
  { engine, table }: EngineOptions,
  { files, edge }: { readonly files: readonly string[]; readonly edge?: string | undefined },
): void {
  const isTable = engine !== undefined && isTableEngine(engine);
  if (isTable !== (table !== undefined))
    command.error('error: use `--table` together with `--engine postgres`, `clickhouse`, `trino` or `spark`');
  if (isTable && (edge !== undefined || files.length > 0))
    command.error(`error: \`--table\` replaces recordings${command.name() === 'replay' ? ' and `--edge`' : ''}`);
  if (files.length === 0 && !isTable) command.error("error: missing required argument 'traffic'");
}
