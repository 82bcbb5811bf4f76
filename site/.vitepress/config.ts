/**
 * How VitePress makes the site. `scripts/build-site.ts` writes the pages to `dist/site/pages` first, and checks what comes out.
 */
import { readFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress';

type LanguageRegistration = typeof CEL_IN_YAML;

const ROOT = new URL('../../', import.meta.url);

/** What `scripts/build-site.ts` knows of the pages. */
interface Contents {
  /** Where the site stands on its server. */
  readonly base: string;
  readonly hasPlayground: boolean;
  readonly sidebar: DefaultTheme.SidebarMulti;
}

const { base, hasPlayground, sidebar } = readJson('dist/site/contents.json') as Contents;

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
}

const CEL = { patterns: [{ include: 'source.cel' }] };

/** Expressions in YAML: the items of `expressions`, quoted or not, and what stands in `${…}`. */
const CEL_IN_YAML = {
  name: 'cel-in-yaml',
  scopeName: 'tollgate.cel-in-yaml',
  injectTo: ['source.yaml'],
  injectionSelector: 'L:source.yaml -comment',
  patterns: [{ include: '#list' }, { include: '#inline' }, { include: '#interpolation' }],
  repository: {
    list: {
      begin: String.raw`^(\s*)((?:- )?)(expressions)(:)\s*$`,
      beginCaptures: {
        3: { name: 'entity.name.tag.yaml' },
        4: { name: 'punctuation.separator.key-value.mapping.yaml' },
      },
      while: String.raw`^(?=\s*- )|^(?=\s{8,}\S)`,
      patterns: [
        { begin: String.raw`(?<=- )"`, end: String.raw`"\s*$|$`, ...CEL },
        { begin: String.raw`(?<=- )'`, end: String.raw`'\s*$|$`, ...CEL },
        { match: String.raw`(?<=- )[>|][+-]?\s*$`, name: 'keyword.control.flow.block-scalar.folded.yaml' },
        { match: String.raw`^\s*- ` },
        { include: 'source.cel' },
      ],
    },
    inline: {
      begin: String.raw`(expressions)(:)\s*\[`,
      beginCaptures: {
        1: { name: 'entity.name.tag.yaml' },
        2: { name: 'punctuation.separator.key-value.mapping.yaml' },
      },
      end: String.raw`\]`,
      patterns: [
        { begin: '"', end: '"', ...CEL },
        { begin: "'", end: "'", ...CEL },
      ],
    },
    interpolation: {
      begin: String.raw`\$\{`,
      end: String.raw`\}`,
      beginCaptures: { 0: { name: 'punctuation.section.embedded' } },
      endCaptures: { 0: { name: 'punctuation.section.embedded' } },
      ...CEL,
    },
  },
};

/**
 * What a section is worth in the search, by its address: pages, variables and functions more than the parts of pages; tasks more than guides, and
 * these more than what contributors read. The function is sent to the browser as it is written, so it uses nothing else.
 */
function boostDocument(id: string, _term: string, section?: Record<string, unknown>): number {
  const isWhole = String(section?.titles ?? '') === '' || /\/(?:variables|functions)\.html#/.test(id);
  const part = /^\/(tasks|guide|reference\/codes|decisions|packages)\//.exec(id)?.[1] ?? '';
  const worth: Record<string, number> = { tasks: 3, guide: 1.5, 'reference/codes': 0.7, decisions: 0.4, packages: 0.4 };
  return (isWhole ? 2 : 1) * (/#actions-ngrok/.test(id) ? 0.4 : (worth[part] ?? 1));
}

/** Renders a page for the search: without colours, and without what all pages of the reference repeat. */
function renderForSearch(source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string {
  const isReference = env.relativePath.startsWith('reference/');
  markdown.options.highlight = (code: string) =>
    isReference ? '<pre></pre>' : `<pre>${markdown.utils.escapeHtml(code)}</pre>`;
  const html = markdown.render(source.replaceAll(/^Suppressed by .*$/gm, ''), env);
  return env.frontmatter?.search === false ? '' : html;
}

export default defineConfig({
  title: 'Tollgate',
  description:
    'The toolkit for traffic policies: check them, replay logs through them, test and prove them, publish them',
  lang: 'en',
  srcDir: '../dist/site/pages',
  outDir: '../dist/site/www',
  cacheDir: '../dist/site/cache',
  cleanUrls: false,
  ignoreDeadLinks: [/(?:^|\/)play\//, /\.json$/, /llms\.txt$/],
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  // The twin of each page: for assistants, and for readers of Markdown.
  transformHead: ({ page }) =>
    page === '404.md' ? [] : [['link', { rel: 'alternate', type: 'text/markdown', href: page.split('/').at(-1)! }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languages: [{ ...(readJson('grammars/cel.tmLanguage.json') as LanguageRegistration), name: 'cel' }, CEL_IN_YAML],
    languageAlias: { console: 'shellscript', jsonl: 'json' },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Tasks', link: '/tasks/', activeMatch: '^/tasks/' },
      { text: 'Guides', link: '/guide/', activeMatch: '^/guide/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      ...(hasPlayground ? [{ text: 'Playground', link: '/play/', target: '_self' }] : []),
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: renderForSearch,
        miniSearch: {
          searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 6, text: 1, titles: 2 }, boostDocument },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: 'https://github.com/tollgate-policies/tollgate' }],
    docFooter: { prev: false, next: false },
    externalLinkIcon: true,
  },
});
