// What the playground takes in Chromium: processor time of its process until the first findings of 30 rules and until all of them, from a key to other
// findings, and the memory and the longest pause of the page while it replays 20 MB of log.
//   npx node --conditions=tollgate-source test/bench/playground.ts

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePermalink } from '@tollgate/playground/permalink';
import type { CDPSession, Page } from 'playwright-core';
import { residentSizes, type ServedPlayground, servePlayground, withRules } from '../playground/served-playground.ts';

const ROUNDS = 5;

const LOG_BYTES = 20_000_000;

/** With one mistake that is seen at once. */
const POLICY_30 = withRules(30).replace('req.url.host ==', 'req.url.hots ==');

/** Returns the processor time of the process that shows a page and runs its workers, in ms. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'ProcessTime')!.value;
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

/** Opens a page whose process has already started. */
async function openStarted(served: ServedPlayground): Promise<{ page: Page; session: CDPSession }> {
  const { page } = await served.open();
  await page.goto(`${served.address}third-party-notices.txt`);
  await page.addInitScript(WATCH_PAUSES);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return { page, session };
}

/** Types or deletes a character, and returns how long it takes until other findings are shown, in ms. */
function typed(command: string): string {
  return `new Promise(done => {
    const list = document.getElementById('findings');
    const before = list.textContent;
    document.querySelector('.cm-content').focus();
    const start = performance.now();
    new MutationObserver((_, observer) => {
      if (list.textContent === before) return;
      observer.disconnect();
      done(performance.now() - start);
    }).observe(list, { childList: true });
    document.execCommand(${command});
  })`;
}

async function measureChecks(served: ServedPlayground): Promise<void> {
  const state = { files: [{ name: 'policy.yaml', text: POLICY_30 }], active: 'policy.yaml', profile: 'modern' };
  const fragment = await encodePermalink(state);
  const first: number[] = [];
  const all: number[] = [];
  const pauses: number[] = [];
  const keys: number[] = [];
  const turns: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { page, session } = await openStarted(served);
    const before = await cpuOf(session);
    await page.goto(`${served.address}#${fragment}`);
    await page.locator('#count:not(:text-matches("^checking"))').waitFor({ state: 'attached' });
    first.push((await cpuOf(session)) - before);
    await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
    all.push((await cpuOf(session)) - before);
    pauses.push(await longestPause(page));
    await page.click('.cm-line:nth-child(3)');
    await page.keyboard.press('End');
    for (const command of ["'insertText', false, ']'", "'delete'"]) {
      const cpu = await cpuOf(session);
      keys.push(await page.evaluate<number>(typed(command)));
      turns.push((await cpuOf(session)) - cpu);
      await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
    }
    await page.close();
  }
  console.log(
    `30 rules: first findings after ${median(first).toFixed(0)} ms of processor time, all after ${median(all).toFixed(0)} ms`,
  );
  console.log(
    `from a key to other findings: ${median(keys).toFixed(0)} ms, with ${median(turns).toFixed(0)} ms of processor time`,
  );
  console.log(`longest pause of the page while it starts: ${median(pauses).toFixed(0)} ms`);
}

async function measureReplay(served: ServedPlayground): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const log = readFileSync(join(import.meta.dirname, '../../examples/traffic/access.log'));
  const file = join(folder, 'access.log');
  writeFileSync(file, Buffer.concat(Array.from({ length: Math.ceil(LOG_BYTES / log.length) }, () => log)));
  const text = POLICY_30.replace('hots', 'host');
  const state = { files: [{ name: 'policy.yaml', text }], active: 'policy.yaml', profile: 'modern' };
  const { page, session } = await openStarted(served);
  await page.goto(`${served.address}#${await encodePermalink({ ...state, tab: 'replay' })}`);
  await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
  await page.setInputFiles('input[type=file]', file);
  const [idle] = await residentSizes(served.browser);
  const sizes: number[] = [];
  const before = await cpuOf(session);
  await page.click('#run');
  const done = page.locator('#status:text-matches("^(?:Done|Stopped)")').waitFor({ state: 'attached' });
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  while (!isDone) {
    sizes.push(...(await residentSizes(served.browser)).slice(0, 1));
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const cpu = ((await cpuOf(session)) - before) / 1000;
  const pause = await longestPause(page);
  // Chromium gives memory back some time after it is free.
  await new Promise(resolve => setTimeout(resolve, 25_000));
  const [after] = await residentSizes(served.browser);
  console.log(
    `replay of 20 MB: ${cpu.toFixed(1)} s of processor time, ${idle} MB before, at most ${Math.max(...sizes)} MB, ${after} MB after it, longest pause ${pause.toFixed(0)} ms`,
  );
  rmSync(folder, { recursive: true });
}

const served = await servePlayground();
try {
  await measureChecks(served);
  await measureReplay(served);
} finally {
  await served.close();
}
