// The lists of pages at the side of each page.

import { PROFILES } from '@tollgate/catalog';
import type { SitePage } from './site-page.ts';

/** A list of pages, or a link to one. */
interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Entry[];
  readonly collapsed?: boolean;
}

/** What VitePress needs besides the pages. */
export interface Contents {
  /** By the first part of the path. */
  readonly sidebar: Readonly<Record<string, readonly Entry[]>>;
}

/** Returns the lists for each part of the site. */
export function contentsOf(pages: readonly SitePage[]): Contents {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const entry = (path: string): Entry => {
    const title = titles.get(path);
    if (title === undefined) throw new Error(`the list of pages names ${path}, which is not a page`);
    // Without the profile that the title of an action ends with: the list has a heading.
    return { text: title.replace(/ \([\w-]+\)$/, ''), link: linkOf(path) };
  };
  const entries = (paths: readonly string[]) => paths.map(entry);
  const below = (folder: string, pattern = /^[\w-]+\.md$/) =>
    pages
      .filter(({ path }) => path.startsWith(`${folder}/`) && pattern.test(path.slice(folder.length + 1)))
      .map(({ path }) => path)
      .filter(path => path !== `${folder}/index.md`);
  const guide = GUIDES.map(({ text, names }) => ({ text, items: entries(names.map(name => `guide/${name}.md`)) }));
  refuseUnlisted(
    below('guide'),
    GUIDES.flatMap(({ names }) => names.map(name => `guide/${name}.md`)),
  );
  const tasks = [{ text: 'Tasks', items: entries(below('tasks')) }];
  const about = {
    text: 'Tollgate',
    items: entries([
      'comparison.md',
      'architecture.md',
      'decisions/index.md',
      'packages/cli.md',
      'contributing.md',
      'glossary.md',
      'changelog.md',
      'security.md',
      'examples.md',
    ]),
  };
  const reference = { text: 'Reference', items: entries(['reference/index.md']) };
  const profiles = PROFILES.map(({ name }) => {
    const items = entries([
      ...PROFILE_PAGES.map(page => `reference/${name}/${page}.md`),
      ...below(`reference/${name}/actions`),
    ]);
    return [`/reference/${name}/`, [reference, { text: `Profile ${name}`, items }]] as const;
  });
  const areas = below('reference/codes', /^[\w-]+\/index\.md$/);
  return {
    sidebar: {
      ...Object.fromEntries(profiles),
      '/reference/command/': [reference, { text: 'Command', items: entries(withIndex('reference/command', below)) }],
      '/reference/codes/': [
        reference,
        { text: 'Codes and lint rules', items: entries(['reference/codes/index.md', ...areas]) },
      ],
      '/reference/': [
        reference,
        { text: 'Profiles', items: entries(PROFILES.map(({ name }) => `reference/${name}/index.md`)) },
        { text: 'Command and codes', items: entries(['reference/command/index.md', 'reference/codes/index.md']) },
        { text: 'Formats, settings, API', items: entries(below('reference')) },
      ],
      '/decisions/': [about, { text: 'Decisions', items: entries(withIndex('decisions', below)) }],
      '/packages/': [about, { text: 'Packages', items: entries(below('packages')) }],
      '/': [...tasks, ...guide, about],
    },
  };
}

const PROFILE_PAGES = ['index', 'variables', 'functions'];

function withIndex(folder: string, below: (folder: string) => readonly string[]): readonly string[] {
  return [`${folder}/index.md`, ...below(folder)];
}

function linkOf(path: string): string {
  return `/${path.replace(/(?<=^|\/)index\.md$/, '').replace(/\.md$/, '.html')}`;
}

function refuseUnlisted(paths: readonly string[], listed: readonly string[]): void {
  const missing = paths.filter(path => !listed.includes(path));
  if (missing.length > 0) throw new Error(`no list names ${missing.join(', ')}: add them in scripts/site/contents.ts`);
}

/** The guides, in the order in which they are read. */
const GUIDES: readonly { readonly text: string; readonly names: readonly string[] }[] = [
  {
    text: 'Start',
    names: [
      'getting-started',
      'playground',
      'installing',
      'writing-policies',
      'editors',
      'assistants',
      'embedded-policies',
    ],
  },
  { text: 'Lint and test', names: ['linting', 'testing', 'recording-tests', 'extending', 'trust'] },
  { text: 'Traffic', names: ['recorded-traffic', 'replaying', 'reading-a-replay', 'queries', 'enforcing'] },
  { text: 'Review', names: ['reviewing-a-change', 'proofs', 'continuous-integration'] },
  { text: 'Publish and operate', names: ['publishing', 'operating'] },
];
