import type { ConfigField, ConfigType } from '@tollgate/catalog';
import { OUTCOMES, TESTS_FIELDS } from '@tollgate/policy';
import { code, table } from './markdown-table.ts';

/** The page about files of policy tests: every key, and the outcomes. */
export function testsPage(): string {
  return `# Policy tests

Written by \`npm run generate\` from what the reader checks. \`tollgate test\` runs these files; [an example](../../examples/tests/bookshop.test.yaml), and
the JSON Schema [\`tests.schema.json\`](../../grammars/tests.schema.json). What a test does not say of its exchange is not known: an expectation
that hangs on it [fails](codes/test.md#testundetermined), and says what is needed.

${table(['key', 'what it is for'], keyRows(TESTS_FIELDS, ''))}
## Outcomes

${table(
  ['outcome', 'meaning'],
  Object.entries(OUTCOMES).map(([kind, meaning]) => [code(kind), meaning]),
)}`;
}

function keyRows(fields: readonly ConfigField[], before: string): readonly (readonly string[])[] {
  return fields.flatMap(({ name, type, doc, required }) => [
    [code(before + name), required ? `${doc} Required.` : doc],
    ...innerRows(type, before + name),
  ]);
}

function innerRows(type: ConfigType, path: string): readonly (readonly string[])[] {
  if (type.kind === 'object') return keyRows(type.fields, `${path}.`);
  return type.kind === 'list' ? innerRows(type.of, `${path}[]`) : [];
}
