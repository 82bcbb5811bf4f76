import { openClickhouse } from '../engines/clickhouse/clickhouse-session.ts';
import type { EngineSession } from '../engines/engine-session.ts';
import { openPostgres } from '../engines/postgres/postgres-session.ts';

/** The engines that hold traffic in tables. */
export const TABLE_ENGINES = ['clickhouse', 'postgres'] as const;

/** One of {@link TABLE_ENGINES}. */
export type TableEngine = (typeof TABLE_ENGINES)[number];

/** Connects to an engine. Throws an `ExternalError` if that fails. */
export function openEngine(engine: TableEngine, url: string | undefined): Promise<EngineSession> {
  return engine === 'postgres' ? openPostgres(url) : openClickhouse(url);
}
