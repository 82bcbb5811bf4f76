import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const UNIT = 'examples/deploy/tollgate.service';
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd)('systemd accepts the unit without a warning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-unit-'));
  // The command is not installed here, which systemd checks too.
  const unit = readFileSync(UNIT, 'utf8').replace('/usr/local/bin/tollgate', process.execPath);
  const path = join(folder, 'tollgate.service');
  writeFileSync(path, unit);
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const about = `${stdout}${stderr}`.split('\n').filter(line => line.includes('tollgate'));
  expect({ status, about }).toEqual({ status: 0, about: [] });
});
