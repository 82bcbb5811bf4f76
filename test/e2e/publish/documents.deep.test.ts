import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { installedCommand } from '../../support/installed-command.ts';

const COMMAND = await installedCommand();
let folder: string;
let port: number;
let shells: ChildProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-guide-'));
  port = await freePort();
  shells = [];
});

afterEach(() => {
  for (const { pid } of shells) if (pid !== undefined) killGroup(pid);
  // A server that is being killed may still write a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(done => server.once('listening', done));
  const { port: free } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return free;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}

/** The `sh` blocks of a document, or of its part behind a text. */
function shellBlocks(path: string, behind = ''): readonly string[] {
  const text = readFileSync(path, 'utf8');
  const part = text.slice(text.indexOf(behind));
  return [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** Runs blocks in one shell that stops at the first command with an unexpected exit code. Background servers are waited for. */
async function runBlocks(
  blocks: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const node = process.execPath;
  const lines = blocks.join('\n').split('\n').map(lineToRun);
  // One stream keeps the order; its last line shows that nothing is missing.
  const script = `exec 2>&1
trap 'echo "${END}"' EXIT
set -e
tollgate() { '${node}' '${COMMAND}' "$@"; }
npx() { "$@"; }
node() { '${node}' "$@"; }
listening() { curl -s --retry 1000 --retry-delay 1 --retry-connrefused -o '${folder}/.probe' "http://127.0.0.1:${port}/"; }
${lines.join('\n')}
`;
  writeFileSync(join(folder, 'script.sh'), script.replaceAll('7373', String(port)));
  const env = { PATH: process.env.PATH, HOME: folder };
  const shell = spawn('bash', ['script.sh'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  shells.push(shell);
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  let code: number | null | undefined;
  shell.once('exit', status => {
    code = status;
  });
  // The server in the background keeps the stream open.
  await eventually(() => code !== undefined && output.includes(END));
  return { code: code!, output: output.slice(0, output.indexOf(END)) };
}

const END = '[end of the script]';

function lineToRun(line: string): string {
  const expected = /^(.*?) +# exits with (\d+)$/.exec(line);
  if (expected) return `{ set +e; ${expected[1]}; status=$?; set -e; [ $status -eq ${expected[2]} ]; }`;
  if (!line.includes('tollgate serve ')) return line;
  const quiet = line.replace('tollgate serve', `tollgate serve --port ${port}`).replace(/&$/, '> .server.log 2>&1 &');
  return `${quiet}\nlistening`;
}

it('publishes the bookshop with the commands of the examples, and the edge then does what the file says', async () => {
  for (const name of ['examples', 'tollgate.yaml']) cpSync(name, join(folder, name), { recursive: true });
  const settings = readFileSync(join(folder, 'tollgate.yaml'), 'utf8');
  writeFileSync(join(folder, 'tollgate.yaml'), settings.replace('7373', String(port)));
  const [publish = ''] = shellBlocks('examples/README.md', 'Publish it to an edge');
  expect(publish.trim().split('\n').length).toBe(5);
  const traffic = 'examples/traffic/access.log examples/traffic/browse.har';
  const check = `tollgate keys create --database books.db > key
curl -s --fail -H "Authorization: Bearer $(cat key)" -H 'Service-Version: 2' http://127.0.0.1:7373/edges/https |
  node -e 'const list = JSON.parse(fs.readFileSync(0)); fs.writeFileSync("edge.json", JSON.stringify(list.https_edges[0]))'
tollgate replay -f json --origin https://books.example --edge edge.json ${traffic} > edge-report.json
tollgate replay -f json --origin https://books.example examples/policies/bookshop.yaml ${traffic} > file-report.json
`;
  const { code, output } = await runBlocks([publish, check]);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('applied: 1 written\n') });
  const [edge, file] = ['edge-report.json', 'file-report.json'].map(name =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  expect(edge.routes.length).toBe(1);
  expect(edge.routes[0].outcomes).toEqual(file.outcomes);
  expect(edge.routes[0].rules).toEqual(file.rules);
});
