/** Columns that refer to those of the table and of the stages before. */
export type Stage = readonly (readonly [name: string, sql: string])[];

/** Returns the columns of a stage as part of a query. */
export function listed(stage: Stage): string {
  return stage.map(([name, sql]) => `  ${sql} as ${name}`).join(',\n');
}
