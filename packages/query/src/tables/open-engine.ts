import { openClickhouse } from '../engines/clickhouse/clickhouse-session.ts';
import type { EngineSession } from '../engines/engine-session.ts';
import { openPostgres } from '../engines/postgres/postgres-session.ts';
import { openSpark } from '../engines/spark/spark-session.ts';
import { openTrino } from '../engines/trino/trino-session.ts';

/** The engines that hold traffic in tables. */
export const TABLE_ENGINES = ['clickhouse', 'postgres', 'spark', 'trino'] as const;

/** One of {@link TABLE_ENGINES}. */
export type TableEngine = (typeof TABLE_ENGINES)[number];

const OPEN: Readonly<Record<TableEngine, (url: string | undefined) => Promise<EngineSession>>> = {
  clickhouse: openClickhouse,
  postgres: openPostgres,
  spark: openSpark,
  trino: openTrino,
};

/** Connects to an engine. Throws an `ExternalError` if that fails. */
export function openEngine(engine: TableEngine, url: string | undefined): Promise<EngineSession> {
  return OPEN[engine](url);
}
