/**
 * Writes into `docs/reference/codes/` a page for each area of codes, from their descriptions and from lint rules. With `--check` it writes
 * nothing, and ends with exit code 1 when a file is not what it would write, or should not be there.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { areaPages } from './reference/area-pages.ts';

const FOLDER = new URL('../docs/reference/codes/', import.meta.url);

mkdirSync(FOLDER, { recursive: true });
const pages = areaPages(CODE_PAGES);
const present = readdirSync(FOLDER);
const superfluous = present.filter(name => !(name in pages));
const stale = Object.keys(pages).filter(
  name => !present.includes(name) || readFileSync(new URL(name, FOLDER), 'utf8') !== pages[name],
);

if (process.argv.includes('--check')) {
  for (const name of [...stale, ...superfluous])
    console.error(`docs/reference/codes/${name} is not current: run \`npm run generate\``);
  process.exitCode = stale.length + superfluous.length > 0 ? 1 : 0;
} else {
  for (const name of superfluous) rmSync(new URL(name, FOLDER));
  for (const name of stale) writeFileSync(new URL(name, FOLDER), pages[name]!);
  console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'docs/reference/codes is current');
}
