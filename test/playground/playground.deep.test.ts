// The playground in Chromium, as people use it: each tab on two sizes, by keyboard, with hostile input. Everything is served with a policy that
// forbids generated code and other hosts.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { runCaptured } from '@tollgate/cli';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { encodePermalink } from '@tollgate/playground/permalink';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readGallery } from '../../scripts/build-playground.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { runs } from '../support/runs.ts';
import { type OpenPage, type ServedPlayground, servePlayground } from './served-playground.ts';

const AXE = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');

const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 780 } };

let served: ServedPlayground;

/** Waits until all files are checked, and returns the number of findings in words. */
async function findings(page: Page): Promise<string> {
  await page.locator('#count:not(:text-matches("^checking"))').waitFor({ state: 'attached' });
  return (await page.textContent('#count')) ?? '';
}

/** Runs the open tab and returns its report. */
async function run(page: Page): Promise<string> {
  await page.click('#run');
  await page.locator('#status:text-matches("^(?:Done|Stopped)")').waitFor({ state: 'attached' });
  return (await page.textContent('#output')) ?? '';
}

/** Returns the messages and places of all findings, once all checks are done. */
async function places(page: Page): Promise<readonly string[]> {
  await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
  return page.locator('.finding').allTextContents();
}

/** Returns the findings in a task of the gallery that is opened first. */
async function placesAlone(task: string): Promise<readonly string[]> {
  const { id: _, title: __, ...state } = readGallery().find(({ id }) => id === task)!;
  const { page } = await served.open(await encodePermalink(state));
  const found = await places(page);
  await page.close();
  return found;
}

/** Each pane fills what the header leaves of a phone. */
async function expectPanes(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  for (const pane of ['edit', 'findings', 'tool']) {
    await page.click(`[data-pane=${pane}]`);
    const tabs = (await page.locator('#panes').boundingBox())!;
    const box = (await page.locator(`#${pane}-pane`).boundingBox())!;
    expect(tabs.width).toBe(width);
    expect(box.width).toBeGreaterThan(0.95 * width);
    expect(box.y - tabs.y - tabs.height).toBeLessThan(20);
    expect(box.y + box.height).toBeGreaterThan(height - 20);
  }
}

/** Returns what axe finds that keeps people out. */
async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations: readonly { id: string; impact: string }[] = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, impact }) => ({ id, impact })))',
  );
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id);
}

function expectQuiet({ errors, requests }: OpenPage): void {
  expect(errors).toEqual([]);
  expect(requests.filter(url => !url.startsWith(served.address) && !url.startsWith('blob:'))).toEqual([]);
}

/** How many policies are compared with the command; more with `TOLLGATE_PLAYGROUND_POLICIES`. */
const COMPARED = runs(24, 300, 'TOLLGATE_PLAYGROUND_POLICIES');

/** How many of them are opened at once. */
const FILES = 12;

/** Returns the findings of `tollgate lint` as the page writes them. */
async function linted(profile: string, files: readonly { readonly name: string; readonly text: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-compared-'));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const spy = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const options = profile === '' ? [] : ['--profile', profile];
  const { output } = await runCaptured(['lint', '-f', 'json', ...options, ...files.map(({ name }) => name)]);
  spy.mockRestore();
  rmSync(folder, { recursive: true });
  const { files: read, diagnostics } = JSON.parse(output) as LintOutput;
  const texts = diagnostics.map(({ severity, message, uri, code, range: { from } }) => {
    const place = `${uri}:${from.line + 1}:${from.character + 1} ${code}`;
    return `${severity} ${message} ${place}`;
  });
  return { read, findings: texts.toSorted() };
}

interface LintOutput {
  /** Those that have a policy. */
  readonly files: readonly string[];
  readonly diagnostics: readonly LintFinding[];
}

interface LintFinding {
  readonly severity: string;
  readonly message: string;
  readonly uri: string;
  readonly code: string;
  readonly range: { readonly from: { readonly line: number; readonly character: number } };
}

const one = (text: string, name = 'policy.yaml') => ({ files: [{ name, text }], active: name, profile: 'modern' });

describe.skipIf(CHROMIUM === undefined)('the playground', () => {
  beforeAll(async () => {
    served = await servePlayground();
  });

  afterAll(() => served.close());

  it.each(Object.entries(SIZES))('runs every task of the gallery, without barriers: %s', async (_, viewport) => {
    const open = await served.open('', { viewport, colorScheme: viewport.width < 700 ? 'dark' : 'light' });
    const { page } = open;
    await findings(page);
    const tasks = await page.$$eval('#examples option', all => all.flatMap(one => one.getAttribute('value') || []));
    expect(tasks).toHaveLength(10);
    const isPhone = viewport.width < 700;
    for (const task of tasks) {
      await page.selectOption('#examples', task);
      if (isPhone) await page.click('[data-pane=tool]');
      expect([task, await run(page)]).toEqual([task, expect.stringMatching(EXPECTED[task]!)]);
      expect([task, await findings(page)]).toEqual([task, expect.not.stringMatching(/\d error/)]);
      expect([task, await places(page)]).toEqual([task, await placesAlone(task)]);
    }
    if (isPhone) await expectPanes(page, viewport);
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expectQuiet(open);
  });

  it('finds what the command finds, in the examples of all codes', async () => {
    // A carriage return ends a line in the editor of the page.
    const examples = CODE_PAGES.flatMap(({ bad, good }) => [bad, good]).filter(
      one => one?.kind === 'policy' && !one.text.includes('\r'),
    );
    const groups = [...Map.groupBy(examples, one => one?.profile ?? '')].flatMap(([profile, group]) =>
      Array.from({ length: Math.ceil(group.length / FILES) }, (_, part) => ({
        profile,
        files: group
          .slice(part * FILES, (part + 1) * FILES)
          .map((one, index) => ({ name: `p${index}.yaml`, text: one!.text })),
      })),
    );
    let compared = 0;
    const { page } = await served.open('');
    for (const { profile, files } of groups) {
      if (compared >= COMPARED) break;
      compared += files.length;
      const { read, findings: expected } = await linted(profile, files);
      await page.goto('about:blank');
      await page.goto(`${served.address}#${await encodePermalink({ files, active: 'p0.yaml', profile })}`);
      await page.locator('#count[data-settled=true]').waitFor({ state: 'attached' });
      const shown = await page.$$eval('#findings li', all => all.map(one => one.textContent ?? ''));
      // Every file is a policy there, also one that cannot be read far enough to look like one.
      const found = shown.filter(text => read.some(name => text.includes(` ${name}:`)));
      expect([profile, found.toSorted()]).toEqual([profile, expected]);
    }
    expect(compared).toBeGreaterThanOrEqual(COMPARED);
  });

  it('is written in and left by keyboard alone, with suggestions', async () => {
    const open = await served.open(await encodePermalink(one('\n')), { viewport: SIZES.desktop });
    const { page } = open;
    await findings(page);
    await page.focus('.cm-content');
    await page.keyboard.type(
      "on_http_request:\n- expressions:\n  - req.url.path.startsWith('/admin') && conn.client_ip.sta",
    );
    await page.waitForSelector('.cm-tooltip-autocomplete [role=option]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('.cm-editor') === null")).toBe(true);
    expectQuiet(open);
  });

  it.each(Object.entries(SIZES))('runs every tab by keyboard alone: %s', async (name, viewport) => {
    const task = await served.open('', { viewport });
    const { page } = task;
    await findings(page);
    const isPhone = name === 'phone';
    const pressUntil = async (key: string, holds: string) => {
      for (let pressed = 0; pressed < 60; pressed++) {
        if (await page.evaluate(holds)) return;
        // Tab indents there, unless Escape was pressed.
        if (await page.evaluate("document.activeElement.matches('.cm-content')")) await page.keyboard.press('Escape');
        await page.keyboard.press(key);
      }
      expect.fail(`${key} leads nowhere: ${await page.evaluate('document.activeElement.outerHTML')}`);
    };
    if (isPhone) {
      await pressUntil('Tab', "document.activeElement.matches('button[data-pane]')");
      await pressUntil('ArrowRight', "document.activeElement.matches('button[data-pane=tool]')");
      await page.keyboard.press('Enter');
    }
    await pressUntil('Tab', "document.activeElement.matches('[role=tab][id^=tab-]')");
    const seen: string[] = [];
    for (let at = 0; at < 7; at++) {
      const id: string = await page.evaluate('document.activeElement.id');
      expect(await page.getAttribute(`#${id}`, 'aria-selected')).toBe('true');
      await page.keyboard.press('Control+Enter');
      // It has run, or says what it needs.
      await page.locator('#status:text-matches("^(?:Done|Choose)")').waitFor({ state: 'attached' });
      seen.push(id);
      await page.focus(`#${id}`);
      await page.keyboard.press('ArrowRight');
    }
    expect(seen.toSorted()).toEqual(
      ['compile', 'diff', 'expression', 'prove', 'replay', 'test', 'trace'].map(one => `tab-${one}`),
    );
    expectQuiet(task);
  });

  it('fixes what a finding names', async () => {
    const text = "on_http_request:\n  - expressions:\n      - req.metod == 'GET'\n    actions:\n      - type: deny\n";
    const open = await served.open(await encodePermalink(one(text)), { viewport: SIZES.desktop });
    const { page } = open;
    expect(await findings(page)).toMatch(/^1 error/);
    await page.click('.finding.error');
    await page.keyboard.press('Control+.');
    await page.click('.actions button:has-text("method")');
    await page.locator('#count:not(:text-matches("[0-9] error"))').waitFor({ state: 'attached' });
    expect(await page.textContent('.cm-content')).toContain("req.method == 'GET'");
    expectQuiet(open);
  });

  it('replays a compressed log of several members, and reports what the command reports', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-play-'));
    const policy =
      'on_http_request:\n  - expressions: ["req.url.path.startsWith(\'/books\')"]\n    actions: [{ type: deny }]\n';
    const log = readFileSync(join(import.meta.dirname, '../../examples/traffic/access.log'));
    const repeated = Buffer.concat(Array.from({ length: Math.ceil(20_000_000 / log.length) }, () => log));
    const half = Math.floor(repeated.length / 2);
    const packed = Buffer.concat([gzipSync(repeated.subarray(0, half)), gzipSync(repeated.subarray(half))]);
    writeFileSync(join(directory, 'policy.yaml'), policy);
    writeFileSync(join(directory, 'access.log.gz'), packed);
    const args = [
      'replay',
      join(directory, 'policy.yaml'),
      join(directory, 'access.log.gz'),
      '--engine',
      'js',
      '--profile',
      'modern',
    ];
    const { output } = await runCaptured([...args, '--no-progress']);
    const open = await served.open(await encodePermalink({ ...one(policy), tab: 'replay' }), {
      viewport: SIZES.desktop,
    });
    await open.page.setInputFiles('input[type=file]', join(directory, 'access.log.gz'));
    const report = await run(open.page);
    // Widths and paths differ; the figures do not.
    const figures = (text: string) => /^ +outcome[\s\S]*$/m.exec(text)?.[0].match(/[\d,]+/g);
    expect(figures(report)?.length).toBeGreaterThan(3);
    expect(figures(report)).toEqual(figures(output));
    expectQuiet(open);
    rmSync(directory, { recursive: true });
  });

  it('says that nothing was asked of a broken link', async () => {
    const bomb = `1.${deflateRawSync(Buffer.alloc(50_000_000, 0x20), { level: 9 }).toString('base64url')}`;
    for (const [fragment, message] of [
      ['1.AAAA', /this link is damaged/i],
      ['9.AAAA', /this link has format 9/i],
      [bomb, /a link contains at most 1 MB/i],
    ] as const) {
      const open = await served.open(fragment);
      await open.page.locator('#notice:text-matches(".")').waitFor({ state: 'attached' });
      expect(await open.page.textContent('#notice')).toMatch(message);
      expectQuiet(open);
      await open.page.close();
    }
  });

  it.each(Object.entries(HOSTILE))(
    'survives %s: nothing runs, and the page says what is wrong',
    async (name, files) => {
      const open = await served.open(await encodePermalink({ files, active: files[0]!.name, profile: 'modern' }));
      const { page } = open;
      await page.locator('#count:not(:text-matches("^checking"))').waitFor({ state: 'attached' });
      // Lint rules report after the checker.
      await page
        .locator(`.finding .message:has-text(${JSON.stringify(SAYS[name])})`)
        .first()
        .waitFor({ state: 'attached' });
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      // The page itself is never busy.
      expect(await page.evaluate('1 + 1')).toBe(2);
      expectQuiet(open);
      await page.close();
    },
  );
});

const SCRIPT = `</script><img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>`;

/** Files that somebody may send, each set for one attack. */
const HOSTILE: Readonly<Record<string, readonly { readonly name: string; readonly text: string }[]>> = {
  'scripts in names and values': [
    {
      name: 'x"><img src=x onerror=window.hacked=1>.yaml',
      text: `on_http_request:\n  - name: ${JSON.stringify(SCRIPT)}\n    expressions: [${JSON.stringify(SCRIPT)}]\n    actions: [{ type: ${JSON.stringify(SCRIPT)} }]\n`,
    },
  ],
  'deep nesting': [{ name: 'policy.yaml', text: `on_http_request: ${'['.repeat(100_000)}` }],
  'deep expressions': [
    {
      name: 'policy.yaml',
      text: `on_http_request:\n  - expressions: ["${'('.repeat(50_000)}"]\n    actions: [{ type: deny }]\n`,
    },
  ],
  'aliases that multiply': [
    {
      name: 'policy.yaml',
      text: `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi', (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`).join('\n')}\non_http_request: *i\n`,
    },
  ],
  'slow patterns': [
    {
      name: 'policy.yaml',
      text: `on_http_request:\n  - expressions: ["req.url.path.matches('(a+)+(a+)+(a|a?)+${'(x+x+)+'.repeat(30)}$')"]\n    actions: [{ type: deny }]\n`,
    },
  ],
  'modules in settings': [
    { name: 'tollgate.yaml', text: 'env: [./evil.js]\nlint: { load: [./evil.js] }\n' },
    { name: 'evil.js', text: 'globalThis.hacked = 1' },
    { name: 'policy.yaml', text: 'on_http_request: [{ actions: [{ type: deny }] }]\n' },
  ],
};

/** What is found in them. */
const SAYS: Readonly<Record<string, string>> = {
  'scripts in names and values': 'unknown action `</script>',
  'deep nesting': 'lists and maps are nested deeper than 64',
  'deep expressions': 'the expression is nested deeper than 250 levels',
  'aliases that multiply': 'has more values than 100000',
  'slow patterns': 'pattern takes exponential time',
  'modules in settings': 'the playground runs no modules',
};

/** What the report of each task says. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'protect-admin': /denied with 403 +1/,
  'api-key': /3 tests: 3 passed/,
  'block-bots': /on [\d,]+ exchanges/,
  'rate-limit': /429/,
  maintenance: /503/,
  redirect: /301/,
  canary: /true[\s\S]*failed/,
  prove: /2 invariants: 1 proved, 1 refuted/,
  review: /2 differences/,
  bookshop: /on [\d,]+ exchanges/,
};
