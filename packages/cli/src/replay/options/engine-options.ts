import type { TableEngine } from '@tollgate/query';
import { type Command, Option } from 'commander';

/** What decides exchanges: DuckDB in groups, or JavaScript one by one; or an engine that holds the traffic in a table. */
export type EngineName = 'duckdb' | 'js' | TableEngine;

/** The engines of `--table` by name. */
export const TABLE_ENGINE_PRODUCTS: Readonly<Record<TableEngine, string>> = {
  ...{ postgres: 'PostgreSQL', clickhouse: 'ClickHouse', trino: 'Trino', spark: 'Spark' },
};

/** Whether an engine holds the traffic in a table. */
export function isTableEngine(name: EngineName): name is TableEngine {
  return Object.hasOwn(TABLE_ENGINE_PRODUCTS, name);
}

/** The options of {@link addEngineOptions}, as given. */
export interface EngineOptions {
  readonly engine?: EngineName;
  /** A name, or a query in parentheses. */
  readonly table?: string;
  readonly connect?: string;
}

/** Adds `--engine` and the options of engines that hold traffic in tables. */
export function addEngineOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--engine <name>',
        'what replays the traffic: `duckdb`, for JSON lines and Parquet, or `js`; by default `duckdb` for Parquet, and for JSON lines from 256 MB on. With `--table`: ' +
          '`postgres`, `clickhouse`, `trino` or `spark`, where the traffic is',
      ).choices(['duckdb', 'js', ...Object.keys(TABLE_ENGINE_PRODUCTS)]),
    )
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
