/**
 * Records the example traffic: access logs by nginx, one of them of a whole day, and a HAR file by Chromium, all against the demo site in
 * `site/`.
 * What is played is always the same. Run from the repository: `npx node examples/record.ts`. Needs Debian's nginx, chromium and openssl,
 * and installs them when it may.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { recordBrowsing } from './recorder/browse.ts';
import { startNginx } from './recorder/nginx.ts';
import { playDay, playVisits } from './recorder/play.ts';

const NEEDED = { '/usr/sbin/nginx': 'nginx-light', '/usr/bin/chromium': 'chromium', '/usr/bin/openssl': 'openssl' };

function installMissing(): void {
  const missing = Object.entries(NEEDED).flatMap(([program, name]) => (existsSync(program) ? [] : [name]));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`first run: sudo apt-get install ${missing.join(' ')}`);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'inherit' });
}

/** The day that is recorded, whenever that is. */
const MIDNIGHT = new Date('2026-11-21T00:00:00Z');

async function record(folder: string): Promise<void> {
  const stopNginx = await startNginx(join(import.meta.dirname, 'site'), folder);
  try {
    await playVisits();
    await playDay(MIDNIGHT);
    await recordBrowsing(join(folder, 'browse.har'));
  } finally {
    await stopNginx();
  }
  for (const name of ['access.log', 'browse.har']) {
    copyFileSync(join(folder, name), join(import.meta.dirname, 'traffic', name));
  }
  writeFileSync(
    join(import.meta.dirname, 'traffic/day.log.gz'),
    gzipSync(readFileSync(join(folder, 'day.log')), { level: 9 }),
  );
}

installMissing();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-record-'));
try {
  await record(folder);
} finally {
  rmSync(folder, { recursive: true });
}
