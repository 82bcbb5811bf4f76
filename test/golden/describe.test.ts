import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { expect, it } from 'vitest';

const FIXTURES = 'test/golden/describe';
const isUpdating = process.env.UPDATE_GOLDENS === '1';

/** Arguments of `tollgate describe`, by what they show. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  bookshop: ['examples/policies/bookshop.yaml'],
  limits: ['examples/policies/limit-abuse.yaml'],
  modern: [join(FIXTURES, 'modern.yaml')],
  'for-a-wiki': ['--format', 'markdown', join(FIXTURES, 'modern.yaml')],
  'for-programs': ['--format', 'json', 'examples/policies/maintenance.yaml'],
  'of-connections': [join(FIXTURES, 'connections.yaml')],
  'with-an-error': [join(FIXTURES, 'error.yaml')],
};

it.each(Object.entries(CASES))('prints the golden file: %s', async (name, args) => {
  const { output, errors, code } = await runCaptured(['describe', ...args]);
  const found = `${output}${errors}exit code ${code}\n`;
  const golden = join(FIXTURES, `${name}.txt`);
  if (isUpdating) writeFileSync(golden, found);
  expect(found).toBe(readFileSync(golden, 'utf8'));
});
