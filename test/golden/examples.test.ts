import { readdirSync } from 'node:fs';
import { runCaptured } from '@tollgate/cli';
import { describe, expect, it } from 'vitest';

const EXAMPLES = 'examples/policies';

/** Policies for other endpoints than an HTTPS route are in a directory of that name. */
const ENDPOINTS = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap(entry =>
  entry.isDirectory() ? [entry.name] : [],
);

async function run(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCaptured(args);
  return `${output}${errors}${code}`;
}

describe('the example policies', () => {
  it('are clean', async () => {
    expect(await run('check', `${EXAMPLES}/*.yaml`)).toMatch(/^no problems in \d+ files\n0$/);
    for (const endpoint of ENDPOINTS) {
      expect(await run('check', '--endpoint', endpoint, `${EXAMPLES}/${endpoint}`)).toMatch(
        /^no problems in \d+ files?\n0$/,
      );
    }
  });

  it('pass their tests', async () => {
    expect(await run('test', 'examples/tests')).toMatch(/\n(\d+) tests: \1 passed\n0$/);
  });

  it('have invariants, which are all proved', async () => {
    expect(await run('prove', 'examples')).toMatch(/\n(\d+) invariants: \1 proved\n0$/);
    const files = readdirSync('examples/invariants');
    const policies = readdirSync(EXAMPLES).filter(name => name.endsWith('.yaml'));
    expect(files).toEqual(policies.map(name => name.replace('.yaml', '.invariants.yaml')));
  });

  it('are formatted', async () => {
    expect(await run('fmt', '--check', EXAMPLES)).toMatch(/^\d+ files unchanged\n0$/);
  });
});
