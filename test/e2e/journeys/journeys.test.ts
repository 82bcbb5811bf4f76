import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../architecture/source-file.ts';
import { createWorkplace, type Workplace } from '../../support/workplace.ts';
import { followPage } from './follow-page.ts';
import { blocksOf, ELSEWHERE, FIRST_PAGES, OTHER_PAGES } from './pages.ts';

let work: Workplace;

beforeAll(async () => {
  work = await createWorkplace();
});

afterAll(() => work?.remove());

const FOLLOWED = [...FIRST_PAGES, ...OTHER_PAGES];

it('follows every guide, or says where it is tested', () => {
  const guides = FOLLOWED.flatMap(({ path }) => (path.startsWith('docs/guide/') ? [basename(path)] : []));
  expect([...guides, ...Object.keys(ELSEWHERE)].toSorted()).toEqual(readdirSync(join(ROOT, 'docs/guide')).toSorted());
});

it('follows every task', () => {
  const followed = FOLLOWED.flatMap(({ path }) => (path.startsWith('docs/tasks/') ? [basename(path)] : []));
  expect([...followed, 'README.md'].toSorted()).toEqual(readdirSync(join(ROOT, 'docs/tasks')).toSorted());
});

it('follows every README of a package that has commands', () => {
  const readmes = globSync('packages/*/README.md', { cwd: ROOT });
  const withCommands = readmes.filter(path => blocksOf({ path }).some(({ language }) => language === 'sh'));
  expect(readmes.length).toBeGreaterThan(15);
  expect(withCommands.filter(path => !FOLLOWED.some(page => page.path === path))).toEqual([]);
});

const PAGES = globSync(
  ['README.md', 'docs/guide/*.md', 'docs/tasks/*.md', 'site/index.md', 'packages/cli/README.md', 'examples/README.md'],
  { cwd: ROOT },
);

it.each(PAGES)('%s spells the command in one way, and uses the profile of new projects', path => {
  const blocks = blocksOf({ path });
  const commands = blocks.filter(({ language }) => /^(?:sh|console)$/.test(language)).map(({ text }) => text);
  // In a container or on a server, the command is installed for all.
  const spelled = commands
    .join('\n')
    .split('\n')
    .filter(
      line => /(?:^|[|(;&])\s*(?:[A-Z_]+=\w+ )?tollgate /.test(line) && !/^(?:podman|docker|kubectl) /.test(line),
    );
  expect(spelled).toEqual([]);
  expect(blocks.filter(({ text }) => /^ *(?:inbound|outbound):|\breq\.[A-Z]|\bconn\.[A-Z]/m.test(text))).toEqual([]);
});

it('reads each page as its readers do', () => {
  for (const page of FOLLOWED) expect(readFileSync(join(ROOT, page.path), 'utf8')).toMatch(/^```sh$/m);
});

it.each(FIRST_PAGES)('every command of $path does what the page says', page => followPage(work, page));
