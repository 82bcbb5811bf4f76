// Prints the regular expressions that the given source files build while they load, as JSON: `[["path:line", "/source/flags"], …]`.
//   node --conditions=tollgate-source test/patterns/built-patterns.ts FILE…

import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../architecture/source-file.ts';

/** Returns the regular expressions that files build while they load, by where: `path:line`. Loads the files in a process of their own. */
export function builtPatterns(paths: readonly string[]): ReadonlyMap<string, string> {
  const args = ['--conditions=tollgate-source', import.meta.filename, ...paths];
  const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return new Map(JSON.parse(output) as [string, string][]);
}

/** The first line of a stack trace that is not in this file. */
const CALLER = /\((file:.+):(\d+):\d+\)|at (file:.+):(\d+):\d+/;

async function print(paths: readonly string[]): Promise<void> {
  const found: [string, string][] = [];
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [source, flags = '']: [string, string?]) {
      const line = new Error().stack?.split('\n').find(one => one.includes('file:') && !one.includes(import.meta.url));
      const [, inside, insideLine, outside, outsideLine] = CALLER.exec(line ?? '') ?? [];
      const path = relative(ROOT, fileURLToPath(inside ?? outside ?? import.meta.url));
      found.push([`${path}:${insideLine ?? outsideLine}`, `/${source}/${flags}`]);
      return new target(source, flags);
    },
  });
  for (const path of paths) await import(pathToFileURL(path).href);
  const wanted = found.filter(([where]) => paths.some(path => where.startsWith(`${path}:`)));
  console.log(JSON.stringify(wanted));
}

if (process.argv[1] === import.meta.filename) await print(process.argv.slice(2));
