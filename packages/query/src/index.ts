export { type DuckdbOptions, type DuckdbReplay, replayOnDuckdb } from './replay/replay-on-duckdb.ts';
export { TABLE_ENGINES, type TableEngine } from './tables/open-engine.ts';
export { READY_MAPPING_NAMES, type ReadyMappingName } from './tables/ready-mappings.ts';
export { replayOnTable, type TableReplay, type TableTraffic } from './tables/replay-on-table.ts';
