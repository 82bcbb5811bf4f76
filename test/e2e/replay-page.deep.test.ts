import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCaptured } from '@tollgate/cli';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CHROMIUM, launchChromium } from '../support/chromium.ts';

const HOSTILE = `"><script>window.hacked = true</script><img src=x onerror="window.hacked = true">`;
/** A string as a client may send it. */
const PATH = `/${HOSTILE.replaceAll('"', '').replaceAll(' ', '+').replaceAll('?', '')}`;
const EDGE = join(import.meta.dirname, '../../examples/edges/bookshop.json');

const POLICY = {
  inbound: [
    {
      name: HOSTILE,
      expressions: ["req.Method == 'POST'"],
      actions: [{ type: 'deny', config: { status_code: 405 } }],
    },
    { name: 'everything', expressions: [], actions: [{ type: 'log', config: { metadata: {} } }] },
    { name: 'has a key', expressions: ["'X-Key' in req.Headers"], actions: [{ type: 'deny' }] },
  ],
};

/** In pixels; a wide window hides less. */
const WIDTHS = inject('isDeep') ? [390, 1280] : [390];

const MINUTES = 90;
/** One request per minute: every fifth is denied, and the others are undetermined. */
const LOG = Array.from({ length: MINUTES }, (_, minute) => {
  const time = `21/Nov/2026:${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00 +0000`;
  const method = minute % 5 === 0 ? 'POST' : 'GET';
  const path = minute % 15 === 0 ? PATH : `/books/${minute % 7}`;
  return `203.0.113.${minute % 9} - - [${time}] "${method} ${path} HTTP/1.1" 200 5 "-" "Firefox"\n`;
});

let browser: Browser;
let directory: string;

async function replay(file: string, args: readonly string[]): Promise<void> {
  const run = await runCaptured(['replay', '-f', `html=${join(directory, file)}`, ...args]);
  expect(run).toEqual({ code: 0, output: '', errors: '' });
}

interface Shown {
  readonly page: Page;
  /** The requests of the browser, and its error messages. */
  readonly events: readonly string[];
}

async function show(file: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  const events: string[] = [];
  page.on('request', request => events.push(request.url()));
  page.on('console', message => events.push(message.text()));
  page.on('pageerror', error => events.push(error.message));
  await page.goto(pathToFileURL(join(directory, file)).href);
  return { page, events };
}

describe.runIf(CHROMIUM !== undefined)('the page of a replay', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
    const [policy, log] = [join(directory, 'policy.json'), join(directory, 'access.log')];
    writeFileSync(policy, JSON.stringify(POLICY));
    writeFileSync(log, LOG.join(''));
    await replay('policy.html', [policy, log]);
    await replay('edge.html', ['--edge', EDGE, '--origin', 'https://books.example', log]);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(['policy.html', 'edge.html'])('loads and runs nothing: %s', async file => {
    const { page, events } = await show(file, 1280);
    expect(events).toEqual([pathToFileURL(join(directory, file)).href]);
    expect(await page.evaluate('window.hacked')).toBe(undefined);
    expect(await page.locator('script, img, link, iframe').count()).toBe(0);
    await page.context().close();
  });

  it('escapes strings of clients and users', async () => {
    const { page } = await show('policy.html', 1280);
    const [first] = await page.locator('.rule').all();
    await first!.locator('summary').click();
    expect(await first!.locator('.name').textContent()).toBe(`inbound 1${HOSTILE}`);
    expect(await first!.locator('.keys code').allTextContents()).toContain(PATH);
    await page.context().close();
  });

  it.each(WIDTHS.flatMap(width => [['policy.html', width] as const, ['edge.html', width] as const]))(
    'is no wider than its window, whatever is expanded: %s at %i pixels',
    async (file, width) => {
      const { page } = await show(file, width);
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const cut = await page.evaluate(`[...document.querySelectorAll('p, h1, h2, h3, dd, li')]
      .filter(element => element.getBoundingClientRect().right > ${width} + 1).length`);
      expect(cut).toBe(0);
      await page.context().close();
    },
  );

  it('draws outcomes over time in columns that add up, with the same figures in a table', async () => {
    const { page } = await show('policy.html', 1280);
    const plot = page.locator('svg.plot');
    expect((await plot.boundingBox())?.height).toBe(190);
    const heights = await plot
      .locator('g > rect:not(.stripes)')
      .evaluateAll(rects => rects.map(rect => Number(rect.getAttribute('height'))));
    expect(heights.reduce((sum, height) => sum + height, 0)).toBe(MINUTES);
    expect(await plot.locator('title').first().textContent()).toMatch(/^2026-11-21 00:00: denied with 405 /);
    const table = page.locator('details', { hasText: 'Show as table' }).first();
    await table.locator('summary').click();
    const cells = await table.locator('td').allInnerTexts();
    expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(MINUTES);
    await page.context().close();
  });

  it('draws bars as long as the share of each rule', async () => {
    const { page } = await show('policy.html', 1280);
    const shares = await page.locator('.rule .bar').evaluateAll(bars =>
      bars.map(bar => {
        const whole = bar.getBoundingClientRect().width;
        return [...bar.children].map(part => Math.round((100 * part.getBoundingClientRect().width) / whole));
      }),
    );
    expect(shares).toEqual([[20], [80], [80]]);
    await page.context().close();
  });

  it('compares recorded statuses with those of clients', async () => {
    const { page } = await show('policy.html', 1280);
    const rows = await page.locator('.matrix tr').allInnerTexts();
    expect(rows.map(row => row.split(/\s+/).filter(cell => cell !== ''))).toEqual([
      ['recorded', '405', 'undetermined'],
      ['200', '18', '72'],
    ]);
    await page.context().close();
  });

  it('follows the colour scheme of the reader, and is legible in both', async () => {
    const contrasts = await Promise.all(
      (['light', 'dark'] as const).map(async scheme => {
        const { page } = await show('policy.html', 390, scheme);
        const found: string[] = await page.evaluate(`[
          getComputedStyle(document.querySelector('.note')).color,
          getComputedStyle(document.querySelector('section')).backgroundColor,
        ]`);
        await page.context().close();
        return found.map(luminance);
      }),
    );
    const [[inkLight, paperLight], [inkDark, paperDark]] = contrasts as [[number, number], [number, number]];
    expect((paperLight + 0.05) / (inkLight + 0.05)).toBeGreaterThan(4.5);
    expect((inkDark + 0.05) / (paperDark + 0.05)).toBeGreaterThan(4.5);
  });

  it('shows the changes between 13 outcomes without scrolling on a small laptop', async () => {
    const statuses = [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 418, 429, 451];
    const of = (offset: number) => ({
      inbound: statuses.map((_, at) => ({
        expressions: [`req.Path.startsWith('/books/${at % 7}')`, `conn.ClientIP.endsWith('${at % 9}')`],
        actions: [{ type: 'deny', config: { status_code: statuses[(at + offset) % statuses.length] } }],
      })),
    });
    const [old, now] = [0, 1].map(offset => {
      const file = join(directory, `many-${offset}.json`);
      writeFileSync(file, JSON.stringify(of(offset)));
      return file;
    });
    const page = join(directory, 'impact.html');
    await runCaptured(['impact', old!, now!, join(directory, 'access.log'), '-f', `html=${page}`]);
    const shown = await show('impact.html', 1280);
    const [content, room, columns] = (await shown.page.evaluate(`(() => {
      const matrix = document.querySelector('.matrix');
      return [matrix.scrollWidth, matrix.clientWidth, matrix.querySelectorAll('thead th').length];
    })()`)) as [number, number, number];
    expect(columns).toBeGreaterThan(12);
    expect(content).toBeLessThanOrEqual(room);
    await shown.page.context().close();
  });

  it('is usable with a keyboard, and names its plots', async () => {
    const { page } = await show('edge.html', 1280);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('/api/');
    const details = page.locator('details').first();
    await details.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await details.getAttribute('open')).toBe('');
    const unnamed = await page
      .locator('svg:not([aria-label]), table:not(:has(th)), [tabindex]:not([aria-label])')
      .count();
    expect(unnamed).toBe(0);
    await page.context().close();
  });
});

/** Relative luminance of a colour `rgb(1, 2, 3)` (WCAG 2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(part => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
