import { chromium, type Page } from 'playwright-core';
import { HTTPS_PORT } from './nginx.ts';

const HOME = 'https://books.example/';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Visits the demo site over HTTPS in a real Chromium, as a customer who signs in and buys a book, and records it. */
export async function recordBrowsing(file: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [...FLAGS, `--host-resolver-rules=MAP books.example:443 127.0.0.1:${HTTPS_PORT}`],
  });
  try {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      recordHar: { path: file, content: 'omit', mode: 'full' },
    });
    await visitShop(await context.newPage());
    // Writes the file.
    await context.close();
  } finally {
    await browser.close();
  }
}

async function visitShop(page: Page): Promise<void> {
  await page.goto(HOME, { waitUntil: 'networkidle' });
  await page.click('a[href="/login"]');
  await page.waitForLoadState('networkidle');
  for (const book of ['tides', 'lanterns']) {
    await page.click(`a[href="/books/${book}.html"]`);
    await page.click('#buy');
    await page.waitForLoadState('networkidle');
  }
  await page.fill('input[name=q]', 'lighthouse keepers');
  await page.click('form button');
  await page.goto(`${HOME}old-catalogue`);
  await page.goto(`${HOME}admin/`);
  await page.goto(`${HOME}missing.html#top`);
}
