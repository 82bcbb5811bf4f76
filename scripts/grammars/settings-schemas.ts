import { extensionSchema, invariantsSchema, projectSchema, testsSchema } from '@tollgate/policy';

/** Returns the JSON Schema of each kind of settings file, by file name. */
export function settingsSchemas(): Record<string, string> {
  const schemas = {
    'project.schema.json': projectSchema(),
    'extension.schema.json': extensionSchema(),
    'tests.schema.json': testsSchema(),
    'invariants.schema.json': invariantsSchema(),
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, `${JSON.stringify(schema, undefined, 2)}\n`]),
  );
}
