import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCaptured } from '@tollgate/cli';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CHROMIUM, launchChromium } from '../support/chromium.ts';

const HOSTILE = `</script></style></pre>"'><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">`;

const POLICY = {
  on_http_request: [
    {
      name: HOSTILE,
      expressions: [`req.url != ${JSON.stringify(HOSTILE)}`, "size(req.headers['x-hostile']) == 1"],
      actions: [
        { type: 'log', config: { metadata: { [HOSTILE]: HOSTILE, header: "${req.headers['x-hostile'][0]}" } } },
        { type: 'add-headers', config: { headers: { 'x-seen': "${req.headers['x-hostile'][0]}" } } },
      ],
    },
    {
      name: 'a long expression',
      expressions: [
        "req.url.path.startsWith('/somewhere/else') || req.method in ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] || " +
          "req.headers['x-hostile'].exists(value, value.size() > 10000 && value.startsWith('never'))",
      ],
      actions: [{ type: 'deny', config: { status_code: 403 } }],
    },
    {
      name: 'an answer',
      expressions: ["req.headers['x-missing'][0] == 'a' || req.method == 'GET'"],
      actions: [{ type: 'custom-response', config: { status_code: 200, body: HOSTILE } }],
    },
  ],
};

/** Narrow windows are where it breaks. */
const WIDTHS = inject('isDeep') ? [390, 1280] : [390];

let browser: Browser;
let directory: string;

async function writePage(): Promise<void> {
  writeFileSync(join(directory, 'policy.json'), JSON.stringify(POLICY));
  const url = `https://e.co/${'long/'.repeat(60)}?q=${HOSTILE.replaceAll('#', '')}`;
  const args = [join(directory, 'policy.json'), '--url', url, '-H', `X-Hostile: ${HOSTILE}`, '--format', 'html'];
  const { code, output, errors } = await runCaptured(['trace', ...args]);
  expect([code, errors]).toEqual([0, '']);
  writeFileSync(join(directory, 'trace.html'), output);
}

interface Shown {
  readonly page: Page;
  /** The requests of the browser, and its error messages. */
  readonly events: readonly string[];
}

async function show(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  const events: string[] = [];
  page.on('request', request => events.push(request.url()));
  page.on('console', message => events.push(message.text()));
  page.on('pageerror', error => events.push(error.message));
  await page.goto(pathToFileURL(join(directory, 'trace.html')).href);
  return { page, events };
}

/** Returns the text of the first visible element of a selector. */
function seen(page: Page, selector: string): Promise<string | null> {
  return page.locator(`${selector}:visible`).first().textContent();
}

describe.runIf(CHROMIUM !== undefined)('the page of a trace', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
    await writePage();
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true });
  });

  it('loads nothing and runs nothing, whatever the policy and the request contain', async () => {
    const { page, events } = await show(1280);
    expect(events).toEqual([pathToFileURL(join(directory, 'trace.html')).href]);
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(await page.locator('script, img, iframe, link, object, form').count()).toBe(0);
    expect(await seen(page, 'nav a, summary .name')).toBe(HOSTILE);
    expect(await seen(page, 'section pre')).toBe(`${HOSTILE}\n`);
  });

  it.each(WIDTHS)('fits a window of %i pixels, with all rules open', async width => {
    const { page } = await show(width);
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    const [needed, there] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
    expect(needed).toBeLessThanOrEqual(there!);
    expect(await page.locator('pre.wide:visible').count()).toBe(width === 1280 ? 6 : 0);
    expect(await page.locator('pre.narrow:visible').count()).toBe(width === 1280 ? 0 : 6);
  });

  it('shows what rules did, and why', async () => {
    const { page } = await show(1280);
    const summaries = await page.locator('summary').allInnerTexts();
    expect(summaries.map(text => text.replace(/\s+/g, ' ')).slice(1)).toEqual([
      expect.stringMatching(
        /^· ?on_http_request 2 a long expression not matched line 1 because req\.url\.path.* was false and req\.method was "GET"/,
      ),
      expect.stringMatching(/^✓ ?on_http_request 3 an answer matched line 1$/),
    ]);
    expect(await seen(page, '.outcome')).toBe('answered with 200 by custom-response');
  });

  it('shows the value of the innermost subexpression on hover', async () => {
    const { page } = await show(1280);
    await page.locator('pre.wide .part .part:visible').first().hover();
    const values = await page.locator('.value:visible').allInnerTexts();
    expect(values).toEqual(["size(req.headers['x-hostile'])\n1 int"]);
  });

  it.each(WIDTHS)('is usable with the keyboard alone, at %i pixels', async width => {
    const { page } = await show(width);
    const focused = () => page.evaluate<string>('document.activeElement.className');
    for (let presses = 0; presses < 40 && !(await focused()).startsWith('part'); presses += 1) {
      await page.keyboard.press('Tab');
    }
    expect(await focused()).toMatch(/^part/);
    expect(await page.locator('.value:visible').count()).toBe(1);
    const closed = page.locator('details:not([open]) summary').first();
    await closed.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details:not([open])').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('has readable contrast in %s mode', async scheme => {
    const { page } = await show(1280, scheme);
    const style = 'getComputedStyle(document.body)';
    const [text, ground] = await page.evaluate<string[]>(`[${style}.color, ${style}.backgroundColor]`);
    const lightness = (colour = '') => Number(/\d+/.exec(colour)![0]);
    expect(Math.abs(lightness(text) - lightness(ground))).toBeGreaterThan(180);
    expect(lightness(ground) > 128).toBe(scheme === 'light');
  });
});
