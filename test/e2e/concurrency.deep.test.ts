import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const COMMAND = await installedCommand();
const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-concurrency-'));

/** With an unknown field, a fixable pattern, and a layout that is not the formatter's. */
const policy = (index: number) => `on_http_request:
  - name:   rule ${index}
    expressions: ["req.url.path.matches('^/${index}/a.b$')", "req.zqx${index} == '1'"]
    actions: [{type: deny}]
`;
const embedded = `apiVersion: ngrok.k8s.ngrok.com/v1alpha1
kind: NgrokTrafficPolicy
metadata: { name: shop }
spec:
  policy:
    on_http_request:
      - expressions: ["req.method == 'TRACE'"]
        actions: [{ type: deny }]
`;
const inMarkdown = `# Policies

\`\`\`yaml
on_http_request:
  - expressions: ["req.method == 'TRACE'", "nope"]
    actions: [{ type: deny }]
\`\`\`
`;
const tests = `policy: tested.yaml
tests:
  - { name: trace, request: { method: TRACE, url: 'https://a.example/' }, expect: { outcome: denied } }
  - { name: wrong, request: { method: GET, url: 'https://a.example/' }, expect: { outcome: denied } }
`;
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  ...Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`p${index}.yaml`, policy(index % 4)])),
  'k8s.yaml': embedded,
  'k8s-copy.yaml': embedded,
  'README.md': inMarkdown,
  'other.md': inMarkdown,
  'tested.yaml': 'on_http_request:\n  - expressions: ["req.method == \'TRACE\'"]\n    actions: [{ type: deny }]\n',
  'a.test.yaml': tests,
  'b.test.yaml': tests.replace('tested.yaml', 'missing.yaml'),
  'c.test.yaml': 'policy: tested.yaml\ntests: 5\n',
  'foreign.yaml': 'services: {}\n',
  'latin.yaml': new Uint8Array([0x61, 0xe4]),
};

beforeAll(() => {
  mkdirSync(join(FOLDER, 'given'));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(FOLDER, 'given', name), content);
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Runs the command in a fresh copy of the files, and returns what it writes anywhere. */
function run(args: readonly string[]) {
  const cwd = mkdtempSync(join(FOLDER, 'copy-'));
  cpSync(join(FOLDER, 'given'), cwd, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { cwd, encoding: 'utf8' });
  const files = readdirSync(cwd).map(name => [name, readFileSync(join(cwd, name), 'latin1')]);
  return { status, stdout: stdout.replaceAll(cwd, ''), stderr, files };
}

describe('`--concurrency`', () => {
  it.each([
    [['check', '--verbose', '.'], 3, /9 errors in 14 files/],
    [['lint', '-f', 'json', '--preset', 'all', '--', '.'], 3, /doc\/copied-policy/],
    [['lint', '--fix', '--cache', '.'], 3, /13 files/],
    [['fmt', '--verbose', '.'], 3, /p5\.yaml/],
    [['fmt', '--diff', '.'], 3, /^\+ {4}expressions:/m],
    [['test', '.'], 3, /2 tests: 1 passed, 1 failed/],
    [['test', '-f', 'json', '.'], 3, /"outcome"/],
  ])('changes nothing in what %j writes', (args, status, output) => {
    const one = run(args);
    expect([one.status, one.stdout]).toEqual([status, expect.stringMatching(output)]);
    expect(run([args[0]!, '--concurrency', '3', ...args.slice(1)])).toEqual(one);
  });

  it('accepts `auto`, `off` and a number of threads', () => {
    for (const given of ['auto', 'off', '64'])
      expect(run(['check', '--concurrency', given, 'tested.yaml']).status).toBe(0);
    const { status, stderr } = run(['check', '--concurrency', '0', 'tested.yaml']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('expected `auto`, `off` or an integer from 1 to 64')]);
  });
});
