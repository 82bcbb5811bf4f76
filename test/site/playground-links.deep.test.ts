// Every policy of the site opens in the playground with what the page shows of it, and is judged there as the page says.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { decodePermalink, type PlaygroundFile, type PlaygroundState } from '@tollgate/playground/permalink';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isPolicy, playgroundFragment } from '../../scripts/site/playground-links.ts';
import { type CodeBlock, codeBlocks, type SitePage } from '../../scripts/site/site-page.ts';
import { sitePages, sourceOf } from '../../scripts/site/site-pages.ts';

const isSettings = ({ name }: PlaygroundFile) => name === 'tollgate.yaml';

/** Runs the command on policies in folders of these numbers: where the settings are if there is one, else in the folder above. */
async function lint(folder: string, indices: readonly number[]): Promise<readonly (readonly [number, string])[]> {
  const [only] = indices.length === 1 ? indices : [];
  const files = indices.map(index => (only === undefined ? `${index}/` : '') + opened[index]!.state.active);
  const spy = vi.spyOn(process, 'cwd').mockReturnValue(only === undefined ? folder : join(folder, String(only)));
  const { output, errors } = await runCaptured(['lint', '--format', 'json', ...files]);
  spy.mockRestore();
  expect(errors).toBe('');
  const { diagnostics } = JSON.parse(output) as {
    readonly diagnostics: readonly { readonly code: string; readonly uri: string }[];
  };
  return diagnostics.map(({ uri, code }) => [only ?? Number.parseInt(uri, 10), code] as const);
}

interface Opened {
  readonly page: SitePage;
  readonly block: CodeBlock;
  readonly state: PlaygroundState;
  /** The longest part of the address. */
  readonly fragment: string;
}

let pages: readonly SitePage[];
let opened: readonly Opened[];
let folder: string;
/** The codes of the findings of `tollgate lint`, by number of the link. */
let findings: ReadonlyMap<number, readonly string[]>;

beforeAll(async () => {
  pages = await sitePages();
  const blocks = pages.flatMap(page =>
    codeBlocks(page.markdown)
      .filter(isPolicy)
      .map(block => ({ page, block })),
  );
  opened = await Promise.all(
    blocks.map(async ({ page, block }) => {
      const fragment = await playgroundFragment(page, block);
      return { page, block, fragment, state: await decodePermalink(fragment) };
    }),
  );
  folder = mkdtempSync(join(tmpdir(), 'tollgate-links-'));
  for (const [index, { state }] of opened.entries()) {
    mkdirSync(join(folder, String(index)));
    for (const { name, text } of state.files) writeFileSync(join(folder, String(index), name), text);
  }
  // Settings are those of the directory in which the command runs.
  const [settled, plain] = [true, false].map(hasSettings =>
    opened.flatMap(({ state }, index) => (hasSettings === state.files.some(isSettings) ? [index] : [])),
  );
  // One after the other: they share the working directory.
  const alone: (readonly [number, string])[] = [];
  for (const index of settled!) alone.push(...(await lint(folder, [index])));
  const runs = [...(await lint(folder, plain!)), ...alone];
  findings = new Map(
    [...Map.groupBy(runs, ([index]) => index)].map(([index, found]) => [index, found.map(([, code]) => code)]),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

describe('links to the playground', () => {
  it('are under every policy, and open it as it is shown', async () => {
    expect(opened.length).toBeGreaterThan(500);
    for (const { page, block, state } of opened)
      expect([page.path, state.files.find(({ name }) => name === state.active)?.text]).toEqual([page.path, block.text]);
    for (const page of pages.slice(0, 200)) {
      const source = await sourceOf(page, true);
      const links = source.match(/class="open-in-playground"/g) ?? [];
      expect([page.path, links.length]).toEqual([page.path, codeBlocks(page.markdown).filter(isPolicy).length]);
    }
  });

  it('contain the other files of the page', () => {
    const front = opened.find(({ page }) => page.path === 'index.md');
    expect(front?.state.files.map(({ name }) => name).toSorted()).toEqual([
      'access.log',
      'policy.invariants.yaml',
      'policy.yaml',
    ]);
    expect(front?.state.profile).toBe('modern');
  });

  it('are short enough to be sent', () => {
    const lengths = opened.map(({ fragment }) => fragment.length);
    expect(Math.max(...lengths)).toBeLessThan(8000);
  });

  it('of a code: the linter reports it for the bad example, and not for the good one', () => {
    const wrong: string[] = [];
    for (const { code, bad, good, rule } of CODE_PAGES) {
      if (!rule || NEED_OTHER_FILES.has(code)) continue;
      for (const [example, isReported] of [
        [bad, true],
        [good, false],
      ] as const) {
        const index = opened.findIndex(
          ({ page, block }) => page.path === `reference/codes/${code}.md` && isExample(page, block, isReported),
        );
        if (example === undefined || index < 0) continue;
        if ((findings.get(index) ?? []).includes(code) !== isReported)
          wrong.push(`${code}, ${isReported ? 'bad' : 'good'}: ${findings.get(index)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('of a task: the linter finds nothing but in what the page calls a mistake', () => {
    const tasks = opened.flatMap(({ page, block }, index) =>
      page.path.startsWith('tasks/') ? [{ page, block, index }] : [],
    );
    expect(tasks.length).toBeGreaterThan(10);
    const found = tasks.filter(({ block, index }) => block.file !== 'wrong.yaml' && findings.get(index) !== undefined);
    expect(found.map(({ page, index }) => [page.path, findings.get(index)])).toEqual([
      ['tasks/undetermined.md', expect.anything()],
    ]);
    for (const { page, block, index } of tasks)
      if (block.file === 'wrong.yaml')
        expect([page.path, findings.get(index)]).toEqual([page.path, [expect.any(String)]]);
  });
});

/** Rules that compare a policy with other files: the example of a page is one of them. */
const NEED_OTHER_FILES: ReadonlySet<string> = new Set([
  'doc/copied-policy',
  'style/ambiguous-rule-name',
  'test/rule-untested',
]);

function isExample({ markdown }: SitePage, { start }: CodeBlock, isBad: boolean): boolean {
  const before = markdown.slice(0, start);
  return before.lastIndexOf('\nBad') > before.lastIndexOf('\nGood') === isBad;
}
