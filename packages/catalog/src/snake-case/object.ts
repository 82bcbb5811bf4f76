import type { FieldFact, ObjectFact } from '../schema/fact.ts';

/** Returns an object type. Each row is a field: name, type and documentation. */
export function object(name: string, doc: string, rows: readonly (readonly [string, string, string])[]): ObjectFact {
  const fields = rows.map(
    ([field, type, about]): FieldFact => ({ name: field, type, doc: about, source: 'documented' }),
  );
  return { name, doc, fields };
}
