/**
 * Builds the documentation as a folder of static files: `npm run docs -- [--base /tollgate/] [--out DIRECTORY]`. Pages come from `docs/`, the
 * catalog, the codes and the commands; nothing is written twice. It fails on links to pages or headings that do not exist.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { checkLinks } from './site/check-links.ts';
import { contentsOf } from './site/contents.ts';
import { FILES, ROOT } from './site/documents.ts';
import { llmsText, sitePages, sourceOf, twinOf } from './site/site-pages.ts';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, out: { type: 'string', default: join(ROOT, 'dist/docs') } },
});

const WORK = join(ROOT, 'dist/site');
const out = resolve(values.out);
if (!/^\/(?:.*\/)?$/.test(values.base))
  throw new Error(`expected --base to begin and end with a slash, found ${values.base}`);
if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, 'llms.txt')))
  throw new Error(`${out} contains something else than a site; choose an empty directory`);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The playground is built by its own script, into a folder of the site. */
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const hasPlayground = 'build:playground' in scripts;

const pages = await sitePages();
rmSync(WORK, { recursive: true, force: true });
for (const page of pages) write(join(WORK, 'pages', page.path), await sourceOf(page, hasPlayground));
for (const [file, place] of Object.entries(FILES)) {
  for (const folder of ['pages', 'pages/public']) {
    mkdirSync(dirname(join(WORK, folder, place)), { recursive: true });
    cpSync(join(ROOT, file), join(WORK, folder, place));
  }
}
write(join(WORK, 'contents.json'), JSON.stringify({ hasPlayground, base: values.base, ...contentsOf(pages) }));

await build(join(ROOT, 'site'), { base: values.base });
const www = join(WORK, 'www');
for (const page of pages) write(join(www, page.path), twinOf(page));
write(join(www, 'llms.txt'), llmsText(pages));

if (hasPlayground)
  execFileSync('npm', ['run', '--silent', 'build:playground', '--', join(www, 'play')], {
    cwd: ROOT,
    stdio: 'inherit',
  });

const dead = checkLinks(www, values.base);
for (const link of dead) console.error(link);
if (dead.length > 0) process.exit(1);

rmSync(out, { recursive: true, force: true });
cpSync(www, out, { recursive: true });
console.log(`${pages.length} pages: ${out}`);
