import type { ConfigField } from '@tollgate/catalog';
import { EXTENSION_FIELDS } from '../settings/extension-shape.ts';
import { INVARIANTS_FIELDS } from '../settings/invariants-shape.ts';
import { PROJECT_FIELDS } from '../settings/project-shape.ts';
import { TESTS_FIELDS } from '../testing/tests-shape.ts';
import { fieldsSchema } from './config-schema.ts';
import { described, type JsonSchema } from './json-schema.ts';

/** Returns the JSON Schema of project files, for editors. It accepts what `readProject` accepts. */
export function projectSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate project file',
    'Settings for all policies of a project: `tollgate.yaml`.',
    PROJECT_FIELDS,
  );
}

/**
 * Returns the JSON Schema of extension files, for editors. It accepts what `readExtension` accepts, but does not check types,
 * bodies, and the names of removed declarations.
 */
export function extensionSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate extension file',
    'What an edge has beyond the catalog, and what it lacks.',
    EXTENSION_FIELDS,
  );
}

/**
 * Returns the JSON Schema of policy tests, for editors. It accepts what `readTests` accepts, but does not check times,
 * URLs, header values, and duplicate names.
 */
export function testsSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate policy tests',
    'What a policy must do with certain exchanges, for `tollgate test`.',
    TESTS_FIELDS,
  );
}

/**
 * Returns the JSON Schema of invariants, for editors. It accepts what `readInvariants` accepts, but does not check expressions, names of rules
 * and that each invariant has one claim.
 */
export function invariantsSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate invariants',
    'What a policy must do with all traffic, for `tollgate prove`.',
    INVARIANTS_FIELDS,
  );
}

function settingsSchema(title: string, doc: string, fields: readonly ConfigField[]): JsonSchema {
  const schema = fieldsSchema(fields);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...described(doc),
    ...schema,
    // An empty file is valid if no key is required.
    type: fields.some(field => field.required) ? 'object' : ['object', 'null'],
  };
}
