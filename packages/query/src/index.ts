export { type DuckdbOptions, type DuckdbReplay, replayOnDuckdb } from './replay/replay-on-duckdb.ts';
export { TABLE_ENGINES, type TableEngine } from './tables/open-engine.ts';
export { replayOnTable, type TableReplay, type TableTraffic } from './tables/replay-on-table.ts';
