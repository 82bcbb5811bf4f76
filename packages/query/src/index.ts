export { type DuckdbOptions, type DuckdbReplay, replayOnDuckdb } from './replay/replay-on-duckdb.ts';
