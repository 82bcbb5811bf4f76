import type { Absence, Availability, Source, VariableFact } from '../schema/fact.ts';
import type { ValueRole } from '../schema/role.ts';

/** Name below the common path, sample, documentation and role. */
type StringRow = readonly [name: string, sample: string, doc: string, role?: ValueRole];

/** What all variables of a table have in common. */
interface StringTable extends Availability {
  readonly path: string;
  readonly absent?: Absence;
  readonly source: Source;
  readonly since?: string;
  readonly needsTermination?: true;
}

/** Returns string variables below one path. The example of each compares it with its sample. */
export function stringVariables(table: StringTable, rows: readonly StringRow[]): readonly VariableFact[] {
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
