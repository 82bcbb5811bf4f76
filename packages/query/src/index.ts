export type { DuckdbOptions } from './duckdb/replay-on-duckdb.ts';
export { impactOnDuckdb, replayOnDuckdb } from './duckdb/replay-on-duckdb.ts';
export { TABLE_ENGINES, type TableEngine } from './engines/open-engine.ts';
export type { EngineResult } from './questions/paired-policies.ts';
export { type EqualRows, readRows } from './tables/read-rows.ts';
export { type DayCounts, type DayStore, replayByDay } from './tables/replay-by-day.ts';
export type {
  ChosenRows,
  RowChoice,
  TableImpactOptions,
  TableImpactSummary,
  TableTraffic,
} from './tables/replay-on-table.ts';
export { chooseRows, impactOnTable, replayOnTable } from './tables/replay-on-table.ts';
export { SQL_FIELD_MAPPING_NAMES, type SqlFieldMappingName } from './tables/sql-field-mappings.ts';
