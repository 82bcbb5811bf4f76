// All pages of the site, and what is made of them besides HTML.

import { posix } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { catalogPages } from './catalog-pages.ts';
import { codePages } from './code-pages.ts';
import { commandPages } from './command-pages.ts';
import { documentPages } from './documents.ts';
import { isPolicy, playgroundFragment } from './playground-links.ts';
import { type CodeBlock, codeBlocks, linkBetween, mapProse, type SitePage, sitePage } from './site-page.ts';

/** Returns all pages, sorted by path. */
export async function sitePages(): Promise<readonly SitePage[]> {
  const pages = [...documentPages(), ...catalogPages(), ...codePages(), ...(await commandPages())];
  return [...pages, referencePage(pages)].map(unlessOld).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Searches find the modern profile: the older ones have the same names, which would be found three times. Nobody searches the changelog. */
function unlessOld(page: SitePage): SitePage {
  return /^reference\/edge-v2|^changelog\.md$/.test(page.path) ? { ...page, isSearched: false } : page;
}

/** The index of the reference. */
function referencePage(pages: readonly SitePage[]): SitePage {
  const list = (has: (path: string) => boolean) =>
    pages
      .filter(({ path }) => has(path))
      .map(
        ({ path, title, description }) => `- [${title}](${linkBetween('reference/index.md', path)}): ${description}\n`,
      )
      .join('');
  const isProfile = (path: string) => PROFILES.some(({ name }) => path === `reference/${name}/index.md`);
  return sitePage(
    'reference/index.md',
    `# Reference

Generated from the definitions that the command itself uses.

## What policies may use

New projects have the profile \`modern\`.

${list(isProfile)}
## The command, and what it reports

${list(path => path === 'reference/command/index.md' || path === 'reference/codes/index.md')}
## Formats, settings and the API

${list(path => /^reference\/[\w-]+\.md$/.test(path))}`,
    { description: 'Profiles, the command, codes and lint rules, formats, settings, and the HTTP API.' },
  );
}

/** Returns what VitePress makes the HTML page of: with front matter, names of files, and links to the playground if there is one. */
export async function sourceOf(page: SitePage, hasPlayground: boolean): Promise<string> {
  const { path, title, description, markdown, isSearched = true } = page;
  let [source, at] = ['', 0];
  for (const block of codeBlocks(markdown)) {
    const { file, indent, start, end } = block;
    const name = file === undefined ? '' : `${indent}<p class="file-name">${file}</p>\n\n`;
    const link = hasPlayground && isPolicy(block) ? `\n\n${indent}${await playgroundLink(page, block)}` : '';
    source += `${markdown.slice(at, start)}${name}${markdown.slice(start, end)}${link}`;
    at = end;
  }
  source += markdown.slice(at);
  const [first] = codeBlocks(markdown).filter(isPolicy);
  if (path === 'index.md' && hasPlayground && first !== undefined)
    source = source.replace(
      '[Get started]',
      `${playgroundButton(await playgroundFragment(page, first))} [Get started]`,
    );
  const matter = { title, description, ...(path === 'index.md' && FRONT), ...(!isSearched && { search: false }) };
  return `---\n${JSON.stringify(matter)}\n---\n\n${mapProse(source, escapeInterpolation)}`;
}

/** The front page is as wide as the window, and has no lists of pages at its sides. */
const FRONT = { sidebar: false, aside: false, outline: false, pageClass: 'front', titleTemplate: false };

async function playgroundLink(page: SitePage, block: CodeBlock): Promise<string> {
  const to = linkBetween(page.path, 'play/index.html').replace(/index\.html$/, '');
  const link = `${to}${await playgroundFragment(page, block)}`;
  // Not a page of the site: the browser has to load it.
  return `<p class="open-in-playground"><a href="${link}" target="_self">Open in playground</a></p>`;
}

function playgroundButton(fragment: string): string {
  return `<a class="primary" href="play/${fragment}" target="_self">Open the playground</a>`;
}

/** Returns the Markdown twin of a page: without the elements that arrange its parts. */
export function twinOf({ markdown }: SitePage): string {
  return markdown.replaceAll(/^<\/?div[^>]*>\n/gm, '').replaceAll(/\n{3,}/g, '\n\n');
}

/** Vue would evaluate what stands in double braces. */
function escapeInterpolation(prose: string): string {
  return prose.replaceAll('{{', '<span v-pre>{{</span>');
}

/** Returns `llms.txt`: what Tollgate is, and where each page stands in Markdown. */
export function llmsText(pages: readonly SitePage[]): string {
  const groups = SECTIONS.map(({ heading, has }) => {
    const lines = pages.filter(has).map(({ path, title, description }) => `- [${title}](${path}): ${description}`);
    return `## ${heading}\n\n${lines.join('\n')}\n`;
  });
  return `# Tollgate

> Tollgate is a toolkit for traffic policies: rules with CEL expressions over \`conn\`, \`req\` and \`res\` that decide what an edge denies, answers, rewrites, logs or limits. It lints, tests, replays, proves and publishes them.

Every page of this site exists in Markdown: replace \`.html\` with \`.md\`. New policies are written in the profile \`modern\`. Run commands with \`npx tollgate\`, from the package \`@tollgate/cli\`. A coding assistant can check, trace, replay and prove policies with \`npx tollgate mcp\`: see [assistants](guide/assistants.md).

${groups.join('\n')}`;
}

interface Section {
  readonly heading: string;
  readonly has: (page: SitePage) => boolean;
}

const inFolder =
  (...folders: readonly string[]) =>
  ({ path }: SitePage) =>
    folders.some(folder => path.startsWith(`${folder}/`));

/** The parts of the site, in the order in which readers need them. Pages of single codes and old profiles are reached from their indexes. */
const SECTIONS: readonly Section[] = [
  { heading: 'Tasks', has: inFolder('tasks') },
  { heading: 'Guides', has: inFolder('guide') },
  { heading: 'The modern profile', has: inFolder('reference/modern') },
  { heading: 'The command', has: inFolder('reference/command') },
  {
    heading: 'Codes and lint rules, by area',
    has: ({ path }) => path.startsWith('reference/codes/') && posix.basename(path) === 'index.md',
  },
  { heading: 'Formats and settings', has: ({ path }) => /^reference\/[\w-]+\.md$/.test(path) },
  {
    heading: 'Optional',
    has: ({ path }) =>
      !/^reference\/|^tasks\/|^guide\/|^decisions\/0|^index\.md$/.test(path) ||
      /^reference\/edge-v2[\w-]*\/index\.md$/.test(path),
  },
];
