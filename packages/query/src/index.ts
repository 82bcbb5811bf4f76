export type { EngineResult } from './replay/engine-result.ts';
export { impactOnDuckdb } from './replay/impact-on-duckdb.ts';
export { replayOnDuckdb } from './replay/replay-on-duckdb.ts';
export type { DuckdbOptions } from './replay/run-on-duckdb.ts';
export { impactOnTable } from './tables/impact-on-table.ts';
export { TABLE_ENGINES, type TableEngine } from './tables/open-engine.ts';
export { READY_MAPPING_NAMES, type ReadyMappingName } from './tables/ready-mappings.ts';
export { replayOnTable } from './tables/replay-on-table.ts';
export type { TableTraffic } from './tables/run-on-table.ts';
