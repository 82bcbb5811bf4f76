// What the site is made of, before VitePress makes HTML of it: quick enough for every run. The built site is tested in `built.deep.test.ts`.

import { posix } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentsOf } from '../../scripts/site/contents.ts';
import { FILES, linkOnSite } from '../../scripts/site/documents.ts';
import { anchorOf, codeBlocks, linksIn, mapProse, type SitePage } from '../../scripts/site/site-page.ts';
import { llmsText, sitePages, sourceOf, twinOf } from '../../scripts/site/site-pages.ts';

let pages: readonly SitePage[];
let byPath: ReadonlyMap<string, SitePage>;

beforeAll(async () => {
  pages = await sitePages();
  byPath = new Map(pages.map(page => [page.path, page]));
});

function headingsIn(markdown: string): ReadonlySet<string> {
  const prose = codeBlocks(markdown)
    .toReversed()
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), markdown);
  return new Set([...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

/** Returns each link of Markdown that leads nowhere. */
function deadLinks(path: string, markdown: string): readonly string[] {
  return linksIn(markdown).flatMap(link => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    const page = byPath.get(target);
    if (page === undefined) return Object.values(FILES).includes(target) ? [] : [`${path}: ${link}`];
    return anchor === undefined || headingsIn(page.markdown).has(anchor) ? [] : [`${path}: ${link}`];
  });
}

describe('pages', () => {
  it('have different paths, a title and a description', () => {
    expect(byPath.size).toBe(pages.length);
    expect(
      pages.filter(({ title, description }) => title === '' || description === '').map(({ path }) => path),
    ).toEqual([]);
  });

  it('link only to pages and headings that exist', () => {
    expect(pages.flatMap(page => deadLinks(page.path, twinOf(page)))).toEqual([]);
  });

  it('are in the list of pages at their side, which names no others', () => {
    const listed = JSON.stringify(contentsOf(pages));
    const missing = pages.filter(
      ({ path }) =>
        /^(?:guide|tasks|decisions|packages)\//.test(path) && path !== 'guide/index.md' && path !== 'tasks/index.md',
    );
    expect(
      missing
        .filter(({ path }) => !listed.includes(`"/${path.replace(/\/index\.md$/, '/').replace(/\.md$/, '.html')}"`))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('exist for every code, with a bad and a good example where the code has them', () => {
    for (const { code, bad, good } of CODE_PAGES) {
      const page = byPath.get(`reference/codes/${code}.md`);
      expect([code, page?.title]).toEqual([code, code]);
      expect([code, page?.markdown.includes('\nBad'), page?.markdown.includes('\nGood')]).toEqual([
        code,
        bad !== undefined,
        good !== undefined,
      ]);
    }
  });

  it('have every variable, function and action of each profile', () => {
    for (const { name, variables, functions, actions } of PROFILES) {
      const headings = (page: string) => headingsIn(byPath.get(`reference/${name}/${page}.md`)!.markdown);
      const [ofVariables, ofFunctions] = [headings('variables'), headings('functions')];
      expect(variables.filter(({ path }) => !ofVariables.has(anchorOf(path)))).toEqual([]);
      expect(functions.filter(one => !ofFunctions.has(anchorOf(one.name)))).toEqual([]);
      expect(actions.filter(({ type }) => !byPath.has(`reference/${name}/actions/${type}.md`))).toEqual([]);
    }
  });

  it('exist for every command, with its options, examples and exit codes', () => {
    const commands = pages.filter(({ path }) => path.startsWith('reference/command/') && !path.endsWith('index.md'));
    expect(commands.length).toBeGreaterThan(30);
    for (const { path, markdown } of commands)
      expect([path, markdown.includes('## Examples'), markdown.includes('## Exit codes')]).toEqual([path, true, true]);
    expect(byPath.get('reference/command/lint.md')?.markdown).toContain('| `--fix` | ');
  });
});

describe('llms.txt', () => {
  it('lists every guide, task and action of the modern profile, by links that exist', () => {
    const text = llmsText(pages);
    expect(deadLinks('llms.txt', text)).toEqual([]);
    const wanted = pages.filter(({ path }) => /^(?:guide|tasks|reference\/modern|reference\/command)\//.test(path));
    expect(wanted.length).toBeGreaterThan(80);
    expect(wanted.filter(({ path }) => !text.includes(`](${path})`)).map(({ path }) => path)).toEqual([]);
  });

  it('has no empty part', () => {
    expect(llmsText(pages)).not.toMatch(/^## .*\n\n(?:\n|##)/m);
  });
});

describe('links of documents', () => {
  it.each([
    ['../reference/codes/ip.md#ipstring-compare', '../reference/codes/ip/string-compare.md'],
    ['../reference/codes/README.md', '../reference/codes/index.md'],
    ['../reference/codes/ip.md', '../reference/codes/ip/index.md'],
    ['README.md', 'index.md'],
    ['testing.md#tables', 'testing.md#tables'],
    ['#tables', '#tables'],
    ['../../README.md#the-map', '../architecture.md'],
    ['../../packages/cel/README.md', '../packages/cel.md'],
    ['../../examples', 'https://github.com/tollgate-policies/tollgate/tree/main/examples'],
    ['../../action.yml', 'https://github.com/tollgate-policies/tollgate/blob/main/action.yml'],
  ])('%s becomes %s', (link, expected) => {
    expect(linkOnSite(link, 'docs/guide/linting.md', 'guide/linting.md')).toBe(expected);
  });

  it('are not changed within code', () => {
    const markdown =
      'See [`a`](b.md), `[c](d.md)`.\n\n```md\n[e](f.md)\n```\n\n- item\n\n  ```md\n  [g](h.md)\n  ```\n\n[i](j.md)\n';
    expect(linksIn(markdown)).toEqual(['b.md', 'j.md']);
    expect(mapProse(markdown, prose => prose)).toBe(markdown);
  });
});

it('double braces are shown, and not evaluated', async () => {
  const page: SitePage = { path: 'a.md', title: 'A', description: 'B', markdown: 'Write {{ x }} or `{{ y }}`.\n' };
  expect(await sourceOf(page, false)).toContain('Write <span v-pre>{{</span> x }} or `{{ y }}`.');
});
