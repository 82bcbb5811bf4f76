// Recordings that somebody made to hang a page, to fill its memory or to run in it. Nothing runs, nothing hangs, and the page says what is wrong.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodePermalink } from '@tollgate/playground/permalink';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { residentSizes, type ServedPlayground, servePlayground } from './served-playground.ts';

/** Its pattern takes exponential time in engines that try all ways. */
const POLICY = `on_http_request:
  - name: slow
    expressions: ["req.url.path.matches('^/(a+)+$') || req.headers['x-a'].exists(one, one.matches('(x+x+)+y'))"]
    actions: [{ type: deny }]
`;

const SCRIPT = '"><img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>';

/** Returns a HAR file with an entry for each text of a request. */
function har(...requests: readonly string[]): string {
  const entries = requests.map(
    one => `{"startedDateTime": "2026-11-24T09:00:00Z", "request": ${one}, "response": {"status": 200, "headers": []}}`,
  );
  return `{"log": {"version": "1.2", "entries": [${entries.join(',')}]}}`;
}

const request = (url: string, more = '') =>
  `{"method": "GET", "url": ${JSON.stringify(url)}, "httpVersion": "HTTP/1.1", "headers": []${more}}`;

const GOOD = request('https://e.co/good');

const LARGE = 50_000_000;

interface Hostile {
  readonly name: string;
  readonly content: () => string | Uint8Array;
  /** What the report says. */
  readonly says: RegExp;
}

const HOSTILE: Readonly<Record<string, Hostile>> = {
  'a HAR file with nested lists': {
    name: 'deep.har',
    content: () => har(request('https://e.co/', `, "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}`), GOOD),
    says: /^error: `deep.har` is not a HAR file: expected at most 10000 values inside of each other/,
  },
  'a HAR file that only opens lists': {
    name: 'open.har',
    content: () => `{"log": {"entries": [${'['.repeat(100_000)}`,
    says: /^error: `open.har` is not a HAR file: expected at most 10000 values inside of each other/,
  },
  'a HAR file with nested objects instead of entries': {
    name: 'objects.har',
    content: () => `{"log": {"entries": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
    says: /^error: `objects.har` is not a HAR file: expected at most 10000 values inside of each other/,
  },
  'a HAR file with one string of 50 MB': {
    name: 'string.har',
    content: () => har(request(`https://e.co/${'a'.repeat(LARGE)}`), GOOD),
    says: /on 1 exchange[\s\S]*HAR entry too large/,
  },
  'a HAR file with the same keys again and names of a prototype': {
    name: 'keys.har',
    content: () =>
      har(
        `{"__proto__": {"method": "POST"}, "constructor": 1, "method": "GET", "method": "GET", "url": "https://e.co/", "url": "https://e.co/twice", "headers": [{"name": "__proto__", "value": "a"}, {"name": "toString", "value": "b"}]}`,
      ),
    says: /on 1 exchange/,
  },
  'a HAR file with scripts in names and values': {
    name: `${SCRIPT.replaceAll('/', '')}.har`,
    content: () =>
      har(
        `{"method": ${JSON.stringify(SCRIPT)}, "url": ${JSON.stringify(`https://e.co/${SCRIPT}`)}, "headers": []}`,
        GOOD,
      ),
    says: /exchange/,
  },
  'paths for slow patterns': {
    name: 'slow.har',
    content: () => har(...Array.from({ length: 50 }, () => request(`https://e.co/${'a'.repeat(20_000)}!`))),
    says: /on 50 exchanges/,
  },
  'JSON lines with one line of 50 MB': {
    name: 'lines.jsonl',
    content: () =>
      `{"method":"GET","url":"https://e.co/"}\n{"method":"GET","url":"https://e.co/${'a'.repeat(LARGE)}"}\n`,
    says: /on 1 exchange[\s\S]*line too long/,
  },
  'JSON lines that nest': {
    name: 'nested.jsonl',
    content: () =>
      `{"method":"GET","url":"https://e.co/","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n{"method":"GET","url":"https://e.co/"}\n`,
    says: /exchange/,
  },
  'a CSV file with one field of 50 MB': {
    name: 'field.csv',
    content: () => `method,url\nGET,"https://e.co/${'a'.repeat(LARGE)}"\nGET,https://e.co/\n`,
    says: /on 1 exchange[\s\S]*malformed row/,
  },
  'a CSV file with a million columns': {
    name: 'columns.csv',
    content: () => `method,url${',x'.repeat(1_000_000)}\nGET,https://e.co/${',1'.repeat(1_000_000)}\n`,
    says: /error: |skipped/,
  },
  'a CSV file with a quote that nothing closes': {
    name: 'quote.csv',
    content: () => `method,url\nGET,https://e.co/\nGET,"open\n${'GET,https://e.co/\n'.repeat(100_000)}`,
    says: /quote is not closed|malformed row/,
  },
  'a CSV file with formulas and scripts': {
    name: 'formula.csv',
    content: () => `method,url,__proto__\nGET,"https://e.co/?=cmd|' /C calc'!A0${SCRIPT.replaceAll('"', '""')}",1\n`,
    says: /on 1 exchange|skipped 1/,
  },
  'a gzip file of nothing but zeros': {
    name: 'zeros.log.gz',
    content: () => gzipSync(Buffer.alloc(300_000_000), { level: 1 }),
    says: /error: /,
  },
  'a gzip file of one endless line': {
    name: 'line.log.gz',
    content: () =>
      gzipSync(
        Buffer.concat([
          Buffer.from('203.0.113.9 - - [24/Nov/2026:09:14:02 +0000] "GET / HTTP/1.1" 200 5 "-" "x"\n'),
          Buffer.alloc(300_000_000, 0x61),
        ]),
        { level: 1 },
      ),
    says: /on 1 exchange[\s\S]*line too long/,
  },
};

let served: ServedPlayground;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-hostile-'));

describe.skipIf(CHROMIUM === undefined)('a replay in the playground', () => {
  beforeAll(async () => {
    served = await servePlayground();
  });

  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true });
  });

  it.each(Object.entries(HOSTILE))('survives %s', async (_, { name, content, says }) => {
    const file = join(folder, name);
    writeFileSync(file, content());
    const state = { files: [{ name: 'policy.yaml', text: POLICY }], active: 'policy.yaml', profile: 'modern' };
    const { page, errors, requests } = await served.open(await encodePermalink({ ...state, tab: 'replay' }));
    await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
    await page.evaluate(`window.longest = 0;
      new PerformanceObserver(list => { for (const one of list.getEntries()) longest = Math.max(longest, one.duration); }).observe({ type: 'longtask' })`);
    await page.setInputFiles('input[type=file]', file);
    await page.click('#run');
    const sizes: number[] = [];
    const done = page.locator('#status:text-matches("^(?:Done|Stopped)")').waitFor({ state: 'attached' });
    for (let isDone = false; !isDone; ) {
      sizes.push((await residentSizes(served.browser))[0]!);
      isDone = await Promise.race([done.then(() => true), page.waitForTimeout(100).then(() => false)]);
    }
    const [status, output] = [await page.textContent('#status'), (await page.textContent('#output')) ?? ''];
    // Its budget of a minute ended nothing.
    expect(status).toMatch(/^Done/);
    expect(output).toMatch(says);
    expect(output.length).toBeLessThan(20_000);
    expect(Math.max(...sizes)).toBeLessThan(500);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const link = page.locator('#download:not([hidden])');
    const html =
      (await link.count()) > 0
        ? await page.evaluate("fetch(document.getElementById('download').href).then(one => one.text())").catch(() => '')
        : '';
    expect(html).not.toMatch(/<img|<script>window/);
    expect(errors.filter(one => !one.includes('Content Security Policy'))).toEqual([]);
    expect(requests.filter(url => !url.startsWith(served.address) && !url.startsWith('blob:'))).toEqual([]);
    await page.close();
    rmSync(file);
  });
});
