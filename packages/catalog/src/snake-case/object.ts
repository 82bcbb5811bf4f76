import type { FieldFact, ObjectFact } from '../schema/fact.ts';

/** An object type; a row is a field with its name, type and description. */
export function object(name: string, doc: string, rows: readonly (readonly [string, string, string])[]): ObjectFact {
  const fields = rows.map(
    ([field, type, about]): FieldFact => ({ name: field, type, doc: about, source: 'documented' }),
  );
  return { name, doc, fields };
}
