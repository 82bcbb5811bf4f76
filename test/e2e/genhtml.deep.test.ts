import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { installedCommand } from '../support/installed-command.ts';

// Coverage as LCOV, read by `genhtml` of Debian's package `lcov`: 1.16 in Debian 12, 2.x later. Neither may find anything wrong.

const VERSION = /LCOV version (\d+)/.exec(spawnSync('genhtml', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
const isNew = Number(VERSION) >= 2;

let folder: string;
let command: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-genhtml-'));
  command = await installedCommand();
  mkdirSync(join(folder, '.git'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function run(program: string, args: readonly string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

const ACTIONS = '[{ type: log, config: { metadata: { a: b } } }, { type: deny, config: { status_code: 403 } }]';

/** Layouts in which lines, rules and atoms do not correspond. */
const FILES: Readonly<Record<string, string>> = {
  'one-line.yaml': `on_http_request: [{ name: "a, b", expressions: ["req.method == 'A' && req.url.path == '/a'", "req.host == 'a' || req.method == 'B'"], actions: ${ACTIONS} }, { name: "a, b", actions: ${ACTIONS} }, { expressions: ["req.method == 'C' ? req.host == 'b' : req.host == 'c'"], actions: ${ACTIONS} }]\n`,
  'folded.yaml': `on_http_request:
  - name: |-
      two
      lines
    expressions:
      - >-
        req.method == 'A' &&
        (req.url.path == '/a' ||
        req.url.path == '/b, c')
    actions: ${ACTIONS}
  - actions: [{ type: redirect, config: { from: /a, to: /b } }]
on_http_response:
  - expressions: ["res.status_code == 404", "res.status_code == 500"]
    actions: [{ type: add-headers, config: { headers: { x-a: "1" } } }]
`.replaceAll('\n', '\r\n'),
  'nothing.yaml': 'on_http_request: []\n',
  'a folder, with a comma/été.yaml': `on_http_request:\n  - { name: never, expressions: ["1 == 2"], actions: ${ACTIONS} }\n`,
  'page.md': `# Two policies\n\n\`\`\`yaml\non_http_request:\n  - { name: first, expressions: ["req.method == 'A'"], actions: ${ACTIONS} }\n\`\`\`\n\n\`\`\`yaml\non_http_request:\n  - { name: second, actions: ${ACTIONS} }\n\`\`\`\n`,
};

const TESTED = ['one-line.yaml', 'folded.yaml', 'nothing.yaml', 'a folder, with a comma/été.yaml', 'page.md#1'];

function genhtml(tracefile: string, output: string, cwd: string) {
  const options = isNew ? ['--mcdc-coverage', '--function-coverage'] : ['--function-coverage'];
  return run('genhtml', ['--branch-coverage', ...options, '-o', output, tracefile], cwd);
}

it.skipIf(VERSION === undefined)('reads coverage of every layout without a message, whatever is covered', () => {
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  const request = (method: string, path: string) => `request: { method: ${method}, url: "https://a${path}" }`;
  for (const [kind, requests] of [
    ['none', []],
    ['some', [request('A', '/a')]],
    ['more', [request('A', '/a'), request('B', '/b'), request('C', '/'), request('GET', '/c')]],
  ] as const) {
    TESTED.forEach((policy, at) => {
      const tests = requests
        .map((one, index) => `  - { name: t${index}, ${one}, expect: { outcome: passed } }\n`)
        .join('');
      const skipped = '  - { name: none, skip: to have one, request: { url: /a }, expect: { outcome: passed } }\n';
      write(`${kind}-${at}.test.yaml`, `policy: "${policy}"\ntests:\n${tests}${skipped}`);
    });
    const files = TESTED.map((_, at) => `${kind}-${at}.test.yaml`);
    const { out, err } = run(process.execPath, [command, 'test', '--coverage-lcov', `${kind}.info`, ...files]);
    const info = readFileSync(join(folder, `${kind}.info`), 'utf8');
    expect({ out, err, files: info.match(/^SF:/gm)?.length }).toMatchObject({ err: '', files: TESTED.length });
    // Each branch is counted once.
    for (const record of info.split('end_of_record\n')) {
      const branches = Array.from(record.matchAll(/^BRDA:(.*),\d+$/gm), ([, name]) => name);
      expect(branches).toEqual([...new Set(branches)]);
    }
    const found = genhtml(`${kind}.info`, `${kind}-html`, folder);
    expect({ ...found, info }).toMatchObject({
      status: 0,
      err: '',
    });
    if (isNew) expect(found.out).toContain('no messages were reported');
  }
});

it.skipIf(VERSION === undefined)('shows the figures of the examples', () => {
  const args = [command, 'test', '--coverage-lcov', join(folder, 'examples.info'), 'examples/tests'];
  expect(run(process.execPath, args, ROOT)).toMatchObject({ status: 0 });
  const { status, out, err } = genhtml(join(folder, 'examples.info'), join(folder, 'examples-html'), ROOT);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const figures = Array.from(
    out.matchAll(/^ +(lines|functions|branches|MC\/DCs)\.*: ([\d.]+)%/gm),
    ([, what, part]) => [what, part],
  );
  const kinds = ['lines', 'functions', 'branches', ...(isNew ? ['MC/DCs'] : [])];
  expect(figures).toEqual(kinds.map(kind => [kind, '100.0']));
});

it.skipIf(VERSION !== undefined)('is skipped: genhtml is not installed; run scripts/install-test-tools.sh', () => {});
