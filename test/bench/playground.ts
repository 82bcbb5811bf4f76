// What the playground takes in Chromium: processor time until the first findings of 30 rules and until all of them, from a key to the findings, and the
// memory and the longest pause of the page while it replays 20 MB of log.
//   npx node --conditions=tollgate-source test/bench/playground.ts

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePermalink } from '@tollgate/playground/permalink';
import type { CDPSession, Page } from 'playwright-core';
import { stringify } from 'yaml';
import { type ServedPlayground, servePlayground } from '../playground/served-playground.ts';

const ROUNDS = 5;

const LOG_BYTES = 20_000_000;

/** Rules in five styles by turns. */
function ruleAt(at: number): object {
  const styles: readonly (readonly [conditions: readonly string[], type: string, config: object])[] = [
    [[`req.url.path.startsWith('/api/v${at}/')`, "req.method in ['POST', 'PUT']"], 'deny', { status_code: 403 }],
    [[`req.url.host == 'h${at}.example.com' || req.url.path == '/old/${at}'`], 'custom-response', { status_code: 410 }],
    [[`req.url.path.matches('^/files/${at}/[a-z]+[.]php$')`], 'deny', { status_code: 404 }],
    [[`inCidrRange(conn.client_ip, '10.${at}.0.0/16')`], 'add-headers', { headers: { 'x-seen': `${at}` } }],
    [
      [`'x-key-${at}' in req.headers && req.headers['x-key-${at}'][0] == 'a${at}'`],
      'log',
      { metadata: { at: `${at}` } },
    ],
  ];
  const [expressions, type, config] = styles[at % styles.length]!;
  return { name: `rule ${at}`, expressions, actions: [{ type, config }] };
}

/** With one mistake that is seen at once. */
const POLICY_30 = stringify({ on_http_request: Array.from({ length: 30 }, (_, at) => ruleAt(at)) }).replace(
  'req.url.host ==',
  'req.url.hots ==',
);

interface ProcessFacts {
  readonly type: string;
  readonly id: number;
  /** In seconds. */
  readonly cpuTime: number;
}

/** Returns the processes that show pages; a page without an address is one of them. */
async function renderers(browser: CDPSession): Promise<readonly ProcessFacts[]> {
  const { processInfo } = (await browser.send('SystemInfo.getProcessInfo')) as { processInfo: ProcessFacts[] };
  return processInfo.filter(({ type }) => type === 'renderer');
}

async function cpuOf(browser: CDPSession): Promise<number> {
  return (await renderers(browser)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Resident memory of the renderer that has the most, in MB. */
async function residentOf(browser: CDPSession): Promise<number> {
  const sizes = (await renderers(browser)).map(({ id }) => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1000;
  });
  return Math.max(...sizes);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** Lets the page note how long nothing else could run in it. */
const WATCH_PAUSES = `window.pauses = [0];
new PerformanceObserver(list => pauses.push(...list.getEntries().map(one => one.duration))).observe({ type: 'longtask', buffered: true });`;

async function longestPause(page: Page): Promise<number> {
  return page.evaluate('Math.max(...pauses)');
}

async function measureChecks(served: ServedPlayground, browser: CDPSession): Promise<void> {
  const state = { files: [{ name: 'policy.yaml', text: POLICY_30 }], active: 'policy.yaml', profile: 'modern' };
  const fragment = await encodePermalink(state);
  const first: number[] = [];
  const all: number[] = [];
  const pauses: number[] = [];
  const keys: number[] = [];
  const turns: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { page } = await served.open();
    await page.goto('about:blank');
    await page.addInitScript(WATCH_PAUSES);
    const before = await cpuOf(browser);
    await page.goto(`${served.address}#${fragment}`);
    await page.locator('#count:not(:text-matches("^checking"))').waitFor({ state: 'attached' });
    first.push(1000 * ((await cpuOf(browser)) - before));
    await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
    all.push(1000 * ((await cpuOf(browser)) - before));
    pauses.push(await longestPause(page));
    await page.click('.cm-line:nth-child(3)');
    await page.keyboard.press('End');
    const cpu = await cpuOf(browser);
    const key: number = await page.evaluate(`new Promise(done => {
      const start = performance.now();
      new MutationObserver(() => done(performance.now() - start)).observe(document.getElementById('findings'), { childList: true });
      document.querySelector('.cm-content').focus();
      document.execCommand('insertText', false, ']');
    })`);
    keys.push(key);
    turns.push(1000 * ((await cpuOf(browser)) - cpu));
    await page.close();
  }
  console.log(
    `30 rules: first findings after ${median(first).toFixed(0)} ms of processor time, all after ${median(all).toFixed(0)} ms`,
  );
  console.log(
    `from a key to its findings: ${median(keys).toFixed(0)} ms, with ${median(turns).toFixed(0)} ms of processor time`,
  );
  console.log(`longest pause of the page while it starts: ${median(pauses).toFixed(0)} ms`);
}

async function measureReplay(served: ServedPlayground, browser: CDPSession): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const log = readFileSync(join(import.meta.dirname, '../../examples/traffic/access.log'));
  const file = join(folder, 'access.log');
  writeFileSync(file, Buffer.concat(Array.from({ length: Math.ceil(LOG_BYTES / log.length) }, () => log)));
  const text = POLICY_30.replace('hots', 'host');
  const state = { files: [{ name: 'policy.yaml', text }], active: 'policy.yaml', profile: 'modern' };
  const { page } = await served.open(await encodePermalink({ ...state, tab: 'replay' }));
  await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
  await page.evaluate(WATCH_PAUSES);
  await page.setInputFiles('input[type=file]', file);
  const idle = await residentOf(browser);
  const sizes: number[] = [];
  const before = await cpuOf(browser);
  await page.click('#run');
  const done = page.locator('#status:text-matches("^(?:Done|Stopped)")').waitFor({ state: 'attached' });
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  while (!isDone) {
    sizes.push(await residentOf(browser));
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const cpu = (await cpuOf(browser)) - before;
  const after = await residentOf(browser);
  console.log(
    `replay of 20 MB: ${cpu.toFixed(1)} s of processor time, ${idle.toFixed(0)} MB before, at most ${Math.max(...sizes).toFixed(0)} MB, ${after.toFixed(0)} MB after it, longest pause ${(await longestPause(page)).toFixed(0)} ms`,
  );
  rmSync(folder, { recursive: true });
}

const served = await servePlayground();
try {
  const browser = await served.browser.newBrowserCDPSession();
  await measureChecks(served, browser);
  await measureReplay(served, browser);
} finally {
  await served.close();
}
