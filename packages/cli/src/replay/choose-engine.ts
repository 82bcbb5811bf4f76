import type { ReadTrafficOptions } from '@tollgate/traffic';
import { inspectTraffic } from '@tollgate/traffic/columns';

/**
 * Returns the engine that replays files fastest. DuckDB takes half of the time for Parquet, whose rows need not become records. JSON lines take
 * as long on two threads in process.
 */
export async function chooseEngine(files: readonly string[], traffic: ReadTrafficOptions): Promise<'duckdb' | 'js'> {
  if (files.length === 0) return 'js';
  for (const file of files) if ((await inspectTraffic(file, traffic))?.format !== 'parquet') return 'js';
  return 'duckdb';
}
