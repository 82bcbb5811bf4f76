export type { DuckdbOptions } from './duckdb/replay-on-duckdb.ts';
export { impactOnDuckdb, replayOnDuckdb } from './duckdb/replay-on-duckdb.ts';
export type { EngineResult } from './questions/paired-policies.ts';
export type { TableTraffic } from './tables/replay-on-table.ts';
export { impactOnTable, replayOnTable, TABLE_ENGINES, type TableEngine } from './tables/replay-on-table.ts';
export { SQL_FIELD_MAPPING_NAMES, type SqlFieldMappingName } from './tables/sql-field-mappings.ts';
