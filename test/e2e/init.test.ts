import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaptureOptions, runCaptured } from '@tollgate/cli';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-init-'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const at = (path: string) => join(directory, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const filesIn = () => readdirSync(directory, { recursive: true, withFileTypes: true });
const paths = () =>
  filesIn()
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();

async function run(args: readonly string[], options: CaptureOptions = {}) {
  const { code, output, errors } = await runCaptured(args, options);
  const plain = (text: string) => text.replaceAll(`${directory}/`, '');
  return { code, out: plain(output), err: plain(errors) };
}

/** Types one line after the other. */
function typing(...lines: readonly string[]): CaptureOptions & { readonly questions: string[] } {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return lines[questions.length - 1] ?? '';
  };
  return { ask, questions };
}

const TEMPLATES = ['api', 'rate-limit', 'block', 'canary', 'webhook', 'tcp', 'maintenance', 'redirect'];

describe('tollgate init', () => {
  it('offers templates that lint clean with the recommended rules, are formatted and pass their tests', async () => {
    const { code, out } = await run(['init', directory, ...TEMPLATES.flatMap(name => ['--template', name])]);
    expect([code, out.match(/^created {2}/gm)?.length]).toEqual([0, 1 + 2 * TEMPLATES.length]);
    expect(await run(['lint', '-f', 'compact', '--fail-on', 'hint', directory])).toEqual({
      code: 0,
      out: `no problems in ${2 * TEMPLATES.length} files\n`,
      err: '',
    });
    expect((await run(['fmt', '--check', at('policies')])).code).toBe(0);
    const tested = await run(['test', directory]);
    expect([tested.code, tested.out]).toEqual([0, expect.stringMatching(/\n20 tests: 20 passed\n$/)]);
  });

  it('writes settings, and files for CI and an editor', async () => {
    const all = ['github', 'gitlab', 'circleci', 'jenkins', 'pre-commit'];
    const { code, out } = await run([
      'init',
      directory,
      '--template',
      'tcp',
      ...all.flatMap(name => ['--ci', name]),
      '--editor',
      'vscode',
    ]);
    expect(code).toBe(0);
    expect(paths()).toEqual([
      '.circleci/config.yml',
      '.github/workflows/tollgate.yml',
      '.gitlab-ci.yml',
      '.pre-commit-config.yaml',
      '.vscode/extensions.json',
      'Jenkinsfile',
      'policies/tcp.test.yaml',
      'policies/tcp.yaml',
      'tollgate.yaml',
    ]);
    expect(out).toContain('\nNext: `npx tollgate lint policies`, `npx tollgate test policies`\n');
    expect(read('tollgate.yaml')).toContain('  - { files: [policies/tcp.yaml], endpoint: tcp-endpoint }\n');
  });

  it('asks on a terminal, and again after a wrong answer', async () => {
    const person = typing('', 'apy', '1, maintenance', '2', '');
    const { code, err } = await run(['init', directory], person);
    expect([code, person.questions.length]).toEqual([0, 5]);
    expect(err).toContain('What is the first policy for?\n  1  api ');
    expect(err).toContain('Choose at least one.\nThere is no `apy`; choose from the list.\n');
    expect(paths()).toEqual([
      '.gitlab-ci.yml',
      'policies/api.test.yaml',
      'policies/api.yaml',
      'policies/maintenance.test.yaml',
      'policies/maintenance.yaml',
      'tollgate.yaml',
    ]);
  });

  it('needs a template if there is nobody to ask, and writes nothing', async () => {
    const { code, err } = await run(['init', directory]);
    expect([code, err, paths()]).toEqual([
      2,
      expect.stringContaining('there is no terminal to ask; pass `--template` with one or more of `api`, '),
      [],
    ]);
  });

  it('changes no existing file, and says what to add', async () => {
    writeFileSync(at('tollgate.yaml'), 'profile: modern\n');
    const { code, out } = await run(['init', directory, '--template', 'tcp']);
    expect([code, read('tollgate.yaml')]).toEqual([0, 'profile: modern\n']);
    expect(out).toContain('exists   tollgate.yaml\ncreated  policies/tcp.yaml\n');
    expect(out).toContain(
      'add to tollgate.yaml:\n\noverrides:\n  - { files: [policies/tcp.yaml], endpoint: tcp-endpoint }\n',
    );
  });
});

describe('tollgate new', () => {
  it('policy writes a policy and its tests', async () => {
    const made = await run(['new', 'policy', at('p/shop.yaml'), '--template', 'maintenance']);
    expect(made).toEqual({ code: 0, out: 'created  p/shop.yaml\ncreated  p/shop.test.yaml\n', err: '' });
    expect((await run(['test', at('p')])).code).toBe(0);
    const again = await run(['new', 'policy', at('p/shop.yaml'), '--template', 'api']);
    expect([again.code, again.err]).toEqual([3, 'tollgate: `p/shop.yaml` already exists\n']);
    expect((await run(['new', 'policy', at('shop.json'), '--template', 'api'])).err).toContain(
      'expected the path of a policy such as `policies/api.yaml`, found `shop.json`',
    );
  });

  it('test writes tests with a request that each rule matches', async () => {
    writeFileSync(
      at('a.yaml'),
      `on_http_request:
  - name: no admin
    expressions: ["req.method == 'POST' && req.url.path.startsWith('/admin/')", "conn.client_ip == '203.0.113.7'"]
    actions: [{ type: deny }]
  - name: "never, ever"
    expressions: ["req.method == 'GET' && req.method == 'PUT'"]
    actions: [{ type: deny }]
  - expressions: ["'x-a' in req.headers && req.headers['x-a'] == ['1']"]
    actions: [{ type: deny }]
on_http_response:
  - name: yes
    expressions: ["res.status_code == 404"]
    actions: [{ type: remove-headers, config: { headers: [server] } }]
`,
    );
    expect(await run(['new', 'test', at('a.yaml')])).toEqual({ code: 0, out: 'created  a.test.yaml\n', err: '' });
    const text = read('a.test.yaml');
    expect(text).toMatch(/^policy: a\.yaml\nprofile: modern\nendpoint: http-endpoint\ntests:\n {2}- name: /);
    expect(text).not.toContain('never, ever');
    const { code, out } = await run(['test', at('a.test.yaml')]);
    expect([code, out]).toEqual([0, expect.stringContaining('3 tests: 3 passed')]);
    expect((await run(['new', 'test', at('a.yaml'), '-o', at('tests/deep/a.yaml')])).code).toBe(0);
    expect(read('tests/deep/a.yaml')).toMatch(/^policy: "\.\.\/\.\.\/a\.yaml"\n/);
    expect((await run(['test', at('tests/deep/a.yaml')])).out).toContain('3 tests: 3 passed');
  });

  it('test skips what only the author knows', async () => {
    writeFileSync(
      at('a.yaml'),
      'on_http_request:\n  - expressions: ["conn.geo.country_code == \'US\'"]\n    actions: [{ type: deny }]\n',
    );
    expect((await run(['new', 'test', at('a.yaml')])).code).toBe(0);
    const { code, out } = await run(['test', at('a.test.yaml')]);
    expect([code, out]).toEqual([0, expect.stringContaining('1 skipped')]);
  });
});
