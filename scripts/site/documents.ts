// The pages that are written by hand or generated into `docs/`, with links that fit the site.

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorOf, linkBetween, mapLinks, type SitePage, sitePage } from './site-page.ts';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where a reader finds the files that the site does not have. */
export const REPOSITORY = 'https://github.com/tollgate-policies/tollgate';

/** Files that the site has next to its pages, by their paths in the repository. */
export const FILES: Readonly<Record<string, string>> = {
  'docs/images/replay.svg': 'images/replay.svg',
  'docs/images/report.png': 'images/report.png',
  'docs/reference/openapi.json': 'reference/openapi.json',
  'packages/vscode/icon.svg': 'icon.svg',
};

/** Single documents, by their paths in the repository. */
const SINGLE: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'docs/architecture.md': 'architecture.md',
  'docs/comparison.md': 'comparison.md',
  'docs/glossary.md': 'glossary.md',
  'examples/README.md': 'examples.md',
  'site/index.md': 'index.md',
};

/** Links whose target has another place on the site. */
const MOVED: Readonly<Record<string, string>> = { 'README.md': 'index.md', 'README.md#the-map': 'architecture.md' };

/** Returns where a document stands on the site; undefined for one that becomes several pages, or none. */
function placeOf(document: string): string | undefined {
  if (document in SINGLE) return SINGLE[document];
  const [, name] = /^packages\/([\w-]+)\/README\.md$/.exec(document) ?? [];
  if (name !== undefined) return `packages/${name}.md`;
  if (!document.startsWith('docs/') || document.startsWith('docs/reference/codes/')) return undefined;
  return document.replace('docs/', '').replace(/README\.md$/, 'index.md');
}

/** Returns the pages of the documents in the repository. */
export function documentPages(): readonly SitePage[] {
  const documents = globSync(['docs/**/*.md', 'packages/*/README.md', ...Object.keys(SINGLE)], { cwd: ROOT });
  return [...new Set(documents)].toSorted().flatMap(document => {
    const place = placeOf(document);
    if (place === undefined) return [];
    const markdown = readFileSync(join(ROOT, document), 'utf8');
    const page = sitePage(
      place,
      mapLinks(markdown, target => linkOnSite(target, document, place)),
    );
    return place === EDGE_API ? splitBySections(page) : [page];
  });
}

/** Returns a link of a document as it is on the page that it becomes. */
export function linkOnSite(target: string, document: string, page: string): string {
  const [path = '', anchor] = target.split('#');
  if (path === '') return target;
  const file = posix.join(posix.dirname(document), path);
  const moved = MOVED[anchor === undefined ? file : `${file}#${anchor}`] ?? codePage(file, anchor);
  if (moved !== undefined) return linkBetween(page, moved);
  const place = existsSync(join(ROOT, file)) ? (placeOf(file) ?? FILES[file]) : undefined;
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  return place === undefined ? `${inRepository(file)}${suffix}` : `${linkBetween(page, place)}${suffix}`;
}

/** Each code has a page of its own on the site, and in the repository a section of the page of its area. */
function codePage(file: string, anchor: string | undefined): string | undefined {
  const [, area] = /^docs\/reference\/codes\/([\w-]+)\.md$/.exec(file) ?? [];
  if (area === undefined) return undefined;
  if (area === 'README') return 'reference/codes/index.md';
  return anchor === undefined
    ? `reference/codes/${area}/index.md`
    : `reference/codes/${area}/${anchor.slice(area.length)}.md`;
}

function inRepository(file: string): string {
  const path = join(ROOT, file);
  const kind = existsSync(path) && statSync(path).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${file.replace(/\/$/, '')}`;
}

/** The document that is too long for a page: it has a section for each resource. */
const EDGE_API = 'reference/edge-api.md';

/** Makes a page of each section but the first one, which stays with the introduction. */
function splitBySections({ path, markdown }: SitePage): readonly SitePage[] {
  const [introduction = '', first = '', ...sections] = markdown.split(/^(?=## )/m);
  const folder = path.replace('.md', '');
  const names = new Map(
    sections.map(text => [anchorOfSection(text), `${folder}/${nameOf(text).replaceAll(' ', '-')}.md`]),
  );
  const between = (from: string, text: string) =>
    mapLinks(text, target => {
      const [file = '', anchor = ''] = target.split('#');
      const to = file === '' ? names.get(anchor) : undefined;
      if (to !== undefined) return linkBetween(from, to);
      return file === '' || from === path ? target : linkBetween(from, posix.join(posix.dirname(path), target));
    });
  const list = [...names.values()].map(to => `- [${posix.basename(to, '.md')}](${linkBetween(path, to)})`);
  return [
    sitePage(path, `${between(path, introduction + first)}\n## Resources\n\n${list.join('\n')}\n`),
    ...sections.map(text => {
      const place = names.get(anchorOfSection(text))!;
      return sitePage(place, between(place, text.replace('## ', '# ')));
    }),
  ];
}

function nameOf(section: string): string {
  return /^## (.*)$/m.exec(section)?.[1] ?? '';
}

function anchorOfSection(section: string): string {
  return anchorOf(nameOf(section));
}
