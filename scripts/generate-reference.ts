/**
 * Writes a page for each area of codes to `docs/reference/codes/`, from the descriptions of codes and lint rules. With `--check` it writes
 * nothing and exits with code 1 if a file is out of date or superfluous.
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
