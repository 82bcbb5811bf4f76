// The built site as its readers see it: in a browser, below the name of the repository, on a desktop and on a phone.

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { CHROMIUM, launchChromium } from '../support/chromium.ts';

const BASE = '/tollgate/';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

let folder: string;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'tollgate-site-')), 'www');
  const args = ['--conditions=tollgate-source', join(ROOT, 'scripts/build-site.ts'), '--base', BASE, '--out', folder];
  execFileSync(process.execPath, args, { cwd: tmpdir(), stdio: 'pipe' });
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const path = join(
      folder,
      decodeURIComponent(pathname.slice(BASE.length)).replace(/(?:^|\/)$/, match => `${match}index.html`),
    );
    const isThere = pathname.startsWith(BASE) && existsSync(path) && statSync(path).isFile();
    response.writeHead(isThere ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(isThere ? readFileSync(path) : '');
  }).listen(0, '127.0.0.1');
  await new Promise(done => server.once('listening', done));
  if (CHROMIUM !== undefined) browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(join(folder, '..'), { recursive: true, force: true, maxRetries: 10 });
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const urlOf = (path: string) => `${origin()}${BASE}${path}`;

interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to other hosts, answers that are errors, and messages of the console. */
  readonly complaints: string[];
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('request', request => {
    if (!request.url().startsWith(urlOf(''))) complaints.push(request.url());
  });
  page.on('response', response => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(urlOf(path), { waitUntil: 'networkidle' });
  return { context, page, complaints };
}

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** One page of each kind. */
const KINDS = [
  '',
  'tasks/',
  'tasks/undetermined.html',
  'guide/testing.html',
  'reference/',
  'reference/modern/',
  'reference/modern/variables.html',
  'reference/modern/actions/rate-limit.html',
  'reference/codes/ip/string-compare.html',
  'reference/command/lint.html',
  'reference/edge-api/HTTPSEdge.html',
  'decisions/0063-the-site.html',
  'comparison.html',
];

/** What the front page and a guide may weigh on a first visit, and the index of the search on its first use, compressed. */
const BUDGETS = { page: 180_000, search: 300_000 };

describe('files', () => {
  it('are small enough', () => {
    const [index = ''] = globSync('assets/chunks/@localSearchIndex*.js', { cwd: folder });
    expect(gzipSync(readFileSync(join(folder, index)), { level: 9 }).length).toBeLessThan(BUDGETS.search);
  });

  it('are a page and its Markdown twin, which the page names', () => {
    const pages = globSync('**/*.html', { cwd: folder, exclude: ['play/**', '404.html'] });
    expect(pages.length).toBeGreaterThan(700);
    for (const page of pages) {
      const html = readFileSync(join(folder, page), 'utf8');
      const twin = page.replace(/\.html$/, '.md');
      expect([page, existsSync(join(folder, twin))]).toEqual([page, true]);
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${twin.split('/').at(-1)}">`);
    }
  });

  it('are named by llms.txt', () => {
    const links = [...readFileSync(join(folder, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
      ([, link = '']) => link,
    );
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(link => !existsSync(join(folder, link)))).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('in a browser', () => {
  it.each(['', 'guide/testing.html'])('/%s is small enough on a first visit', async path => {
    const { context, page } = await open(path);
    const loaded = await page.evaluate<readonly string[]>(
      "[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]",
    );
    const files = new Set(
      loaded.map(url => new URL(url).pathname.slice(BASE.length).replace(/(?:^|\/)$/, match => `${match}index.html`)),
    );
    const sizes = [...files].map(file => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(BUDGETS.page);
    await context.close();
  });

  it.each(KINDS)('/%s asks no other host, has no errors, and fits a phone', async path => {
    const { context, page, complaints } = await open(path, PHONE);
    expect(complaints).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.locator('main h1').count()).toBe(1);
    await context.close();
  });

  // Colours do not depend on the width, nor the layout on the colours.
  it.each(KINDS)(
    '/%s has no serious violation of accessibility, on a desktop in light and a phone in dark',
    async path => {
      for (const look of [{ colorScheme: 'light' }, { ...PHONE, colorScheme: 'dark' }] as const) {
        const { context, page } = await open(path, look);
        await page.evaluate(AXE);
        const violations = await page.evaluate<readonly AxeViolation[]>(
          'axe.run().then(({ violations }) => violations)',
        );
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)])).toEqual([]);
        await context.close();
      }
    },
  );

  it.each(KINDS)('/%s can be read without JavaScript', async path => {
    const { context, page } = await open(path, { javaScriptEnabled: false });
    const twin = readFileSync(
      join(folder, path.endsWith('.html') ? path.replace('.html', '.md') : `${path}index.md`),
      'utf8',
    );
    const [, heading = ''] = /^# (.*)$/m.exec(twin) ?? [];
    expect(await page.locator('main h1').innerText()).toContain(heading.replaceAll('`', ''));
    expect((await page.locator('main').innerText()).length).toBeGreaterThan(twin.length / 4);
    await context.close();
  });

  it('colours the expressions of policies', async () => {
    const { context, page } = await open('tasks/secure-admin.html');
    const line = page.locator('.language-yaml .line', { hasText: 'inCidrRanges' }).first();
    const colours = await line.locator('span').evaluateAll(spans => spans.map(span => span.getAttribute('style')));
    expect(new Set(colours).size).toBeGreaterThan(2);
    await context.close();
  });

  it.each([
    ['block bots', 'tasks/block-bots.html'],
    ['jwt', 'tasks/jwt.html'],
    ['conn.client_ip', 'reference/modern/variables.html#conn-client-ip'],
    ['startsWith', 'reference/modern/functions.html#startswith'],
    ['ip/string-compare', 'reference/codes/ip/string-compare.html'],
    ['webhook', 'tasks/verify-webhooks.html'],
    ['rate-limit', 'reference/modern/actions/rate-limit.html'],
    ['undetermined', 'tasks/undetermined.html'],
  ])('finds %s by keyboard alone, offline', async (words, expected) => {
    const { context, page, complaints } = await open('');
    // Until Vue has taken over the page, nobody listens.
    await page.waitForFunction('document.querySelector("#app").__vue_app__ !== undefined');
    await page.keyboard.press('Control+k');
    await page.waitForSelector('#localsearch-input');
    await page.keyboard.type(words);
    await page.waitForSelector('#localsearch-list li');
    // The list follows what was typed with a delay.
    const wanted = `#localsearch-list li:nth-child(-n + 5) a[href^="${BASE}${expected}"]`;
    await page.locator(wanted).first().waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(url => url.pathname !== BASE);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('skips to the content, and follows the lists of pages, by keyboard', async () => {
    const { context, page } = await open('guide/testing.html');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#VPContent') !== null")).toBe(true);
    await context.close();
  });
});

interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
