import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { describe, expect, it } from 'vitest';

const FIXTURES = 'test/golden/check';
const isUpdating = process.env.UPDATE_GOLDENS === '1';

/** The policies, by endpoint: each shows what its name says, and has a golden file beside it. */
const POLICIES = readdirSync(FIXTURES).flatMap(endpoint =>
  readdirSync(join(FIXTURES, endpoint))
    .filter(file => /\.(?:yaml|json)$/.test(file))
    .map(file => ({ endpoint, path: join(FIXTURES, endpoint, file) })),
);

describe('tollgate check', () => {
  it.each(POLICIES)('prints the golden file: $path', async ({ endpoint, path }) => {
    const run = await runCaptured(['check', '--endpoint', endpoint, path]);
    const output = `${run.output}${run.errors}exit code ${run.code}\n`;
    const golden = `${path}.txt`;
    if (isUpdating || !existsSync(golden)) {
      // A golden file that is missing is made when updating only.
      if (!isUpdating) throw new Error(`${golden} is missing; UPDATE_GOLDENS=1 makes it`);
      writeFileSync(golden, output);
    }
    expect(output).toBe(readFileSync(golden, 'utf8'));
  });

  it('has no golden file without a policy', () => {
    const known = new Set(POLICIES.map(({ path }) => `${path}.txt`));
    const goldens = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.txt'));
    expect(goldens.map(file => join(FIXTURES, file)).filter(file => !known.has(file))).toEqual([]);
  });
});
