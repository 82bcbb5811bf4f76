/**
 * Replays the policy of the demo site on its day of traffic and takes a picture of the HTML report:
 *
 *     node scripts/picture-report.ts OUTPUT.png
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const POLICY = 'examples/policies/bookshop.yaml';
const TRAFFIC = ['examples/traffic/day.log.gz', 'examples/traffic/browse.har'];

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error('usage: picture-report.ts OUTPUT.png');
const directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
const page = join(directory, 'report.html');
try {
  const format = readFileSync('examples/traffic/day.conf', 'utf8');
  const reading = ['--log-format', format, '--absent', '-'];
  const args = ['tollgate', 'replay', '-f', `html=${page}`, ...reading, POLICY, ...TRAFFIC];
  const { status } = spawnSync('npx', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('the replay failed');
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const shown = await browser.newPage({ viewport: { width: 1080, height: 1080 } });
  await shown.goto(pathToFileURL(page).href);
  await shown.screenshot({ path: output });
  await browser.close();
} finally {
  rmSync(directory, { recursive: true });
}
