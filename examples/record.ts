/**
 * Records the example traffic: an access log by nginx and a HAR file by Chromium, both against the demo site in `site/`.
 * What is played is always the same. Run from the repository: `npx node examples/record.ts`. Needs Debian's nginx, chromium and openssl,
 * and installs them when it may.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordBrowsing } from './recorder/browse.ts';
import { startNginx } from './recorder/nginx.ts';
import { playVisits } from './recorder/play.ts';

const NEEDED = { '/usr/sbin/nginx': 'nginx-light', '/usr/bin/chromium': 'chromium', '/usr/bin/openssl': 'openssl' };

function installMissing(): void {
  const missing = Object.entries(NEEDED).flatMap(([program, name]) => (existsSync(program) ? [] : [name]));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`first run: sudo apt-get install ${missing.join(' ')}`);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'inherit' });
}

async function record(folder: string): Promise<void> {
  const stopNginx = await startNginx(join(import.meta.dirname, 'site'), folder);
  try {
    await playVisits();
    await recordBrowsing(join(folder, 'browse.har'));
  } finally {
    await stopNginx();
  }
  for (const name of ['access.log', 'browse.har']) {
    copyFileSync(join(folder, name), join(import.meta.dirname, 'traffic', name));
  }
}

installMissing();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-record-'));
try {
  await record(folder);
} finally {
  rmSync(folder, { recursive: true });
}
