import type { Absence, Availability, Source, VariableFact } from '../schema/fact.ts';
import type { ValueRole } from '../schema/role.ts';

/** Name below the common path, sample, description, and role. */
export type TextRow = readonly [name: string, sample: string, doc: string, role?: ValueRole];

/** What the variables of a table share. */
export interface TextTable extends Availability {
  readonly path: string;
  readonly absent?: Absence;
  readonly source: Source;
  readonly since?: string;
  readonly needsTermination?: true;
}

/** Variables that are texts below one path. The example of each compares it with its sample. */
export function textVariables(table: TextTable, rows: readonly TextRow[]): readonly VariableFact[] {
  const { path, ...shared } = table;
  return rows.map(([name, sample, doc, role]) => ({
    ...shared,
    path: `${path}.${name}`,
    type: 'string',
    doc,
    ...(role && { role }),
    example: { expression: `${path}.${name} == ${JSON.stringify(sample)}`, value: 'true' },
    sample,
  }));
}
