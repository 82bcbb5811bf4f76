/**
 * Follows a page as a reader does: its files and commands, block by block in a real shell, in a fresh repository with the packed command. What the
 * page shows is compared with what was printed; the whole transcript is kept next to the tests.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Workplace } from '../../support/workplace.ts';
import { type Block, blocksOf, type Page, prepare } from './pages.ts';

const MARK = '@@block';
const FAILURE = '@@failed';

/** Runs a page in a fresh place, and asserts that it prints what the page says, and what it printed before. */
export async function followPage(work: Workplace, page: Page): Promise<void> {
  const place = work.fresh();
  const port = String(await freePort());
  prepare(place, page, port);
  const blocks = blocksOf(page);
  const script = `export TOLLGATE_PORT=${port} USER=reader\n${scriptOf(blocks)}`;
  // Other servers may run on this machine.
  const { text } = await place.shell(script.replaceAll('7373', port));
  expect([...text.matchAll(new RegExp(`^${FAILURE}.*$`, 'gm'))].map(([line]) => [page.path, line, text])).toEqual([]);
  const printed = new Map(
    text
      .split(`\n${MARK} `)
      .slice(1)
      .map(part => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1).replace(/\n$/, '')]),
  );
  for (const [index, { language, file, text: shown }] of blocks.entries()) {
    if (file !== undefined || language !== 'text') continue;
    const before = blocks.slice(0, index).findLastIndex(one => one.language === 'sh');
    if (before >= 0) expect(printed.get(before)).toContain(shown.trimEnd());
  }
  const parts = blocks.flatMap(({ language, text: commands }, index) =>
    language === 'sh' ? [`${commands.replaceAll(/^/gm, '$ ').replace(/\$ $/, '')}${printed.get(index)}`] : [],
  );
  const name = page.path.replaceAll('/', '-').replace('.md', '.txt');
  await expect(stable(parts.join('\n'), place.directory, port)).toMatchFileSnapshot(
    join(import.meta.dirname, 'transcripts', name),
  );
}

/** Returns a port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(done => server.once('listening', done));
  const address = server.address();
  await new Promise(done => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The script of a page: its files and commands in order. What each command ends with is checked where it runs. */
function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ language, file, text }, index) => {
    const mark = `echo; echo '${MARK} ${index}'`;
    if (file !== undefined)
      return `${mark}\nmkdir -p "$(dirname '${file}')" && cat > '${file}' <<'END_OF_FILE'\n${text}END_OF_FILE`;
    return language === 'sh' ? `${mark}\n${text.split('\n').map(checkedLine).join('\n')}` : mark;
  });
  return `set -E\ntrap 'echo "${FAILURE} $?: $BASH_COMMAND"' ERR\n${parts.join('\n')}`;
}

function checkedLine(line: string): string {
  // What the registry would install is installed from its tarball.
  if (/^npm install --save-dev @tollgate\/cli$/.test(line)) return 'npm ls --silent @tollgate/cli > /dev/null';
  const [, command, code] = /^(.*?) +# exits with (\d+)$/.exec(line) ?? [];
  return command === undefined
    ? line
    : `${command} && code=0 || code=$?; [ $code = ${code} ] || echo '${FAILURE}:' "$code: ${command.replaceAll(/["$`\\]/g, '.')}"`;
}

/** Leaves out what differs from run to run: directories, ports, times, durations and ids. */
function stable(text: string, directory: string, port: string): string {
  return (
    text
      .replaceAll(directory, '<here>')
      .replaceAll(port, '7373')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>')
      .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '<duration>')
      .replaceAll(/\b(ak|edghts|edghtsrt|op)_[A-Za-z0-9]{20,}/g, '$1_<id>')
      // What was made in the same second is listed in any order.
      .replaceAll(/(?:^ +ak_<id>.*\n){2,}/gm, lines => `${lines.trimEnd().split('\n').toSorted().join('\n')}\n`)
  );
}
