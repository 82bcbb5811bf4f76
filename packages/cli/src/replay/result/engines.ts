/** The engines that hold traffic in a table, with the names of their products. */
export const TABLE_ENGINES = {
  postgres: 'PostgreSQL',
  clickhouse: 'ClickHouse',
  trino: 'Trino',
  spark: 'Spark',
} as const;

/** What decides exchanges: DuckDB in groups, or JavaScript one by one; or an engine that holds the traffic in a table. */
export type EngineName = 'duckdb' | 'js' | keyof typeof TABLE_ENGINES;

/** The product names of all engines but JavaScript. */
export const ENGINE_PRODUCTS: Readonly<Record<Exclude<EngineName, 'js'>, string>> = {
  duckdb: 'DuckDB',
  ...TABLE_ENGINES,
};

/** Returns true if an engine holds the traffic in a table. */
export function isTableEngine(name: EngineName): name is keyof typeof TABLE_ENGINES {
  return Object.hasOwn(TABLE_ENGINES, name);
}
