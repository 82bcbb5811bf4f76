import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTollgate } from './run-tollgate.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
const script = join(directory, 'script.cjs');
const env = { PATH: process.env.PATH ?? '' };

beforeAll(() => {
  writeFileSync(
    script,
    `const { readFileSync } = require('node:fs');
if (process.argv[2] === 'wait') { process.stdout.write('waiting'); setInterval(() => {}, 1000); }
else { process.stdout.write(readFileSync(0, 'utf8') + process.argv.slice(2).join('|')); process.stderr.write('é'); process.exitCode = 3; }
`,
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

it('passes arguments and input as they are, and returns all that is printed', async () => {
  const result = await runTollgate({ script, directory, env, args: ['a b', '$(c)', '"'], input: 'in:' });
  expect(result).toEqual({ code: 3, output: 'in:a b|$(c)|"', errors: 'é' });
});

it('stops the process when it is cancelled', async () => {
  const abort = new AbortController();
  const running = runTollgate({ script, directory, env, args: ['wait'], signal: abort.signal });
  abort.abort();
  expect((await running).code).toBeUndefined();
});

it('rejects if the process cannot be started', async () => {
  await expect(runTollgate({ script, directory: join(directory, 'none'), env, args: [] })).rejects.toThrow('ENOENT');
});
