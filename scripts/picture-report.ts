/**
 * Replays an example policy over a day of generated traffic and takes a picture of the HTML report:
 *
 *     node scripts/picture-report.ts OUTPUT.png
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const POLICY = 'examples/policies/bookshop.yaml';
const DAY = 24 * 3600;
const REQUESTS = 40_000;

/** Returns the same pseudo-random numbers from 0 to 1 in every run; a linear congruential generator is good enough for a picture. */
function randomness(): () => number {
  let state = 20_261_120;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PAGES = ['/', '/', '/style.css', '/shop.js', '/books/tides.html', '/books/dunes.html', '/cart', '/search?q=sea'];
const RARE = ['/old-catalogue', '/api/v1/books', '/api/v0/user/12', '/api/v0/user/7', '/admin/users', '/.env'];
const AGENTS = ['Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0', 'Mozilla/5.0 (iPhone) Safari/604.1', 'curl/8.5.0'];
const BOTS = ['GPTBot/1.1', 'Mozilla/5.0 (compatible; Googlebot/2.1)'];

/** Generates an access log with more traffic in the afternoon, and scanners before noon. */
function accessLog(): string {
  const random = randomness();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const lines = Array.from({ length: REQUESTS }, () => {
    const isScan = random() < 0.04;
    const second = isScan ? 11 * 3600 + random() * 1500 : afternoon(random);
    const path = isScan ? '/wp-login.php' : pick(random() < 0.15 ? RARE : PAGES);
    const client = isScan ? '192.0.2.66' : `203.0.113.${Math.floor(random() ** 3 * 250)}`;
    const agent = pick(random() < 0.08 ? BOTS : AGENTS);
    const status = isScan ? 404 : pick([200, 200, 200, 200, 200, 200, 304, 404, 500]);
    return { second, text: `"GET ${path} HTTP/1.1" ${status} 512 "-" "${agent}"`, client };
  });
  return lines
    .sort((a, b) => a.second - b.second)
    .map(({ second, text, client }) => `${client} - - [20/Nov/2026:${clock(second)} +0000] ${text}\n`)
    .join('');
}

function afternoon(random: () => number): number {
  for (;;) {
    const second = random() * DAY;
    if (random() < 0.25 + 0.75 * Math.exp(-(((second - 15 * 3600) / 14_000) ** 2))) return second;
  }
}

function clock(second: number): string {
  return new Date(second * 1000).toISOString().slice(11, 19);
}

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error('usage: picture-report.ts OUTPUT.png');
const directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
const [log, page] = [join(directory, 'access.log'), join(directory, 'report.html')];
try {
  writeFileSync(log, accessLog());
  const args = ['tollgate', 'replay', '-f', `html=${page}`, '--origin', 'https://books.example', POLICY, log];
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
