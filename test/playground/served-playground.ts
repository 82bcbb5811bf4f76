// The playground in Chromium: built once, and served from the loopback address with a strict policy on the page and on its workers.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { stringify } from 'yaml';
import { buildPlayground } from '../../scripts/build-playground.ts';
import { launchChromium } from '../support/chromium.ts';

/** The policy that `index.html` states, which a header also puts on workers: without `unsafe-eval`. */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** A running browser with the playground. */
export interface ServedPlayground {
  readonly browser: Browser;
  readonly address: string;
  readonly folder: string;
  /** Opens a page, and collects what it says and asks for. */
  readonly open: (fragment?: string, options?: Parameters<Browser['newPage']>[0]) => Promise<OpenPage>;
  readonly close: () => Promise<void>;
}

/** A page, with what went wrong in it and what it asked for. */
export interface OpenPage {
  readonly page: Page;
  readonly errors: string[];
  readonly requests: string[];
}

/** Returns a policy with rules of five kinds by turns. */
export function withRules(count: number): string {
  return stringify({ on_http_request: Array.from({ length: count }, (_, at) => ruleAt(at)) });
}

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

/** Returns the resident memory of the processes that show pages, the largest first, in MB. */
export async function residentSizes(browser: Browser): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1000);
  return sizes.map(Math.round).toSorted((a, b) => b - a);
}

/** Builds the playground, serves it and starts Chromium. */
export async function servePlayground(): Promise<ServedPlayground> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-playground-'));
  await buildPlayground(folder);
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html';
    try {
      const content = readFileSync(join(folder, name.replaceAll('..', '')));
      response.writeHead(200, {
        'content-type': TYPES[extname(name)] ?? 'text/plain',
        'content-security-policy': POLICY,
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = await launchChromium();
  const open: ServedPlayground['open'] = async (fragment = '', options = {}) => {
    const page = await browser.newPage(options);
    // The limit of a test ends what hangs.
    page.setDefaultTimeout(0);
    const errors: string[] = [];
    const requests: string[] = [];
    page.on('pageerror', error => errors.push(error.message));
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    page.on('request', request => requests.push(request.url()));
    await page.goto(`${address}${fragment === '' ? '' : `#${fragment}`}`);
    return { page, errors, requests };
  };
  const close = async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { browser, address, folder, open, close };
}
