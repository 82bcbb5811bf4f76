import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleCommand } from '../../scripts/bundle-command.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-published-'));

/** Runs the command as one who installed it does: there are no sources beside it, nor the packages it was made of. */
function tollgate(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, 'bin/tollgate.js'), ...args], {
    encoding: 'utf8',
    env: {},
  });
  return [status, stdout, stderr];
}

beforeAll(async () => {
  cpSync('packages/cli/bin', join(home, 'bin'), { recursive: true });
  cpSync('packages/cli/package.json', join(home, 'package.json'));
  await bundleCommand(join(home, 'dist/bundle'));
});

afterAll(() => rmSync(home, { recursive: true }));

it('checks a policy', () => {
  expect(tollgate('check', resolve('examples/policies/block-bots.yaml'))).toEqual([0, 'no problems in 1 file\n', '']);
});

it('replays traffic', () => {
  const [code, out, err] = tollgate('replay', 'examples/policies/bookshop.yaml', 'examples/traffic/access.log');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('exchanges');
});
