import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('read-activation.ts', import.meta.url));

function run(...flags: readonly string[]) {
  const args = [...flags, '--conditions=tollgate-source', PROGRAM];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it('reads traffic and variables where generating code is forbidden as elsewhere', () => {
  const usual = run();
  expect(usual).toMatchObject({ generates: true, activation: { req: { Method: 'GET' } } });
  expect(run('--disallow-code-generation-from-strings')).toEqual({ ...usual, generates: false });
});
