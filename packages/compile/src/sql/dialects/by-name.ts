import { CLICKHOUSE } from './clickhouse.ts';
import { DUCKDB } from './duckdb.ts';
import { POSTGRES } from './postgres.ts';
import { SPARK } from './spark.ts';
import { TRINO } from './trino.ts';

/** All dialects. */
export const DIALECTS = {
  ...{ duckdb: DUCKDB, postgres: POSTGRES, clickhouse: CLICKHOUSE, trino: TRINO, spark: SPARK },
} as const;

/** The SQL of an engine. */
export type SqlDialectName = keyof typeof DIALECTS;
