import type { ConfigField } from '@tollgate/catalog';
import { EXTENSION_FIELDS } from '../settings/extension-shape.ts';
import { PROJECT_FIELDS } from '../settings/project-shape.ts';
import { TESTS_FIELDS } from '../testing/tests-shape.ts';
import { fieldsSchema } from './config-schema.ts';
import { described, type JsonSchema } from './json-schema.ts';

/** The JSON Schema of project files, for editors. It finds wrong what `readProject` does. */
export function projectSchema(): JsonSchema {
  return settingsSchema(
    'project file of Tollgate',
    'What holds for all policies of a project: `tollgate.yaml`.',
    PROJECT_FIELDS,
  );
}

/**
 * The JSON Schema of extension files, for editors. It finds wrong what `readExtension` does, but for what no schema can: whether types,
 * bodies and names of what is taken away are right.
 */
export function extensionSchema(): JsonSchema {
  return settingsSchema(
    'extension file of Tollgate',
    'What an edge has beyond the catalog, and what it lacks.',
    EXTENSION_FIELDS,
  );
}

/**
 * The JSON Schema of files of policy tests, for editors. It finds wrong what `readTests` does, but for what no schema can: whether a time,
 * a URL and the value of a header are ones, and whether a name is given twice.
 */
export function testsSchema(): JsonSchema {
  return settingsSchema(
    'policy tests of Tollgate',
    'What a policy must do with certain exchanges: for `tollgate test`.',
    TESTS_FIELDS,
  );
}

function settingsSchema(title: string, doc: string, fields: readonly ConfigField[]): JsonSchema {
  const schema = fieldsSchema(fields);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...described(doc),
    ...schema,
    // An empty file says nothing, which is enough where nothing must be said.
    type: fields.some(field => field.required) ? 'object' : ['object', 'null'],
  };
}
