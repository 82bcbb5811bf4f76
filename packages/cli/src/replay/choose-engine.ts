import { stat } from 'node:fs/promises';
import type { ReadTrafficOptions } from '@tollgate/traffic';
import { inspectTraffic } from '@tollgate/traffic/columns';

/**
 * From this size in bytes on, DuckDB replays JSON lines in clearly less time than one thread in process, on two processors;
 * docs/decisions/0060-engine-of-a-replay.md has the measurements.
 */
export const LARGE_JSON_LINES = 192 * 1024 * 1024;

/** What a compressed byte of JSON lines counts for: gzip and zstd leave a ninth of usual ones. */
export const COMPRESSION = 8;

/** Returns the engine that replays files fastest: DuckDB for Parquet, whose rows need not become records, and for large JSON lines. */
export async function chooseEngine(files: readonly string[], traffic: ReadTrafficOptions): Promise<'duckdb' | 'js'> {
  let bytes = 0;
  const formats = new Set<string>();
  for (const file of files) {
    const found = await inspectTraffic(file, traffic);
    if (found === undefined || found.isWrapped) return 'js';
    formats.add(found.format);
    bytes += (await stat(file)).size * (found.compression === 'uncompressed' ? 1 : COMPRESSION);
  }
  const [format] = formats;
  if (formats.size !== 1) return 'js';
  return format === 'parquet' || (format === 'json-lines' && bytes >= LARGE_JSON_LINES) ? 'duckdb' : 'js';
}
