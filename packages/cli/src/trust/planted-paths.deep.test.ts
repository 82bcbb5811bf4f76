import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { canonicalModule, createKeyed, type JournalEntry, type JsonObject } from '@tollgate/publisher';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CapturedRun, runCaptured } from '../run-captured.ts';

// A stranger's repository tries to make each command write or read something outside of it: with links at the file, at the folder above it,
// and through several of them, and with names in its settings.

/** Each writing command has something to do with this policy. */
const POLICY = `inbound:
  - name: gone
    expressions: ["req.Path ==   '/old'"]
    actions: [{ type: deny }]
outbound: []
`;
const ROOT = process.cwd();

let home: string;
let api: Server;
let url: string;

/** Rules as a stranger's API answers them. */
const ROUTE = {
  ...{ id: 'r1', edge_id: 'e1', match_type: 'path_prefix', match: '/' },
  policy: { enabled: true, inbound: [{ name: '$(planted)', expressions: [], actions: [{ type: 'deny' }] }] },
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/edges/https': { https_edges: [{ id: 'e1', hostports: ['a.example:443'], routes: [ROUTE] }], next_page_uri: null },
  '/edges/tls': { tls_edges: [], next_page_uri: null },
  '/edges/tcp': { tcp_edges: [], next_page_uri: null },
  '/edges/https/e1/routes/r1': ROUTE,
};

beforeAll(async () => {
  api = createServer((request, response) => {
    const found = ANSWERS[request.url!.split('?')[0]!];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>(done => void api.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});

afterAll(() => void api.close());

const at = (name: string) => join(home, name);
const project = (name: string) => at(`project/${name}`);

function put(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

function settings({ policy = 'policy.yaml', more = '' }: { readonly policy?: string; readonly more?: string } = {}) {
  const text = `environments: { p: { url: '${url}', apiKey: { env: TOLLGATE_API_KEY } } }
targets: { t: { policy: ${JSON.stringify(policy)}, route: { edge: e1, id: r1 } } }
gates: { lint: off }
${more}`;
  put('project/tollgate.yaml', text);
}

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-planted-')));
  put('project/.git/config', '');
  put('project/policy.yaml', POLICY);
  put('project/old.yaml', POLICY);
  put('project/traffic.jsonl', '{"method": "GET", "url": "https://a.example/old", "status": 200}\n');
  put('outside/file', POLICY);
  put('outside/secret', '[default]\naws_secret_access_key = AKIAverysecretvalue\n');
  settings();
  process.chdir(project(''));
});

afterEach(() => {
  vi.unstubAllEnvs();
  process.chdir(ROOT);
  rmSync(home, { recursive: true });
});

const run = (args: readonly string[]): Promise<CapturedRun> =>
  runCaptured(args, { env: { HOME: at('user'), TOLLGATE_API_KEY: 'key-of-the-user', TOLLGATE_TRUSTED_URL: url } });

/** Everything below a folder: texts of files, and where links lead. */
function contents(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = names.sort().map(name => {
    const path = join(folder, name);
    const found = lstatSync(path);
    return [name, found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path, 'utf8') : ''];
  });
  return Object.fromEntries(texts);
}

/** What lies outside of what a repository may write. */
const untouched = () => [contents(at('outside')), contents(project('.git'))];

/** Commands that write, with the file that each writes and nothing else decides. */
const WRITERS: readonly (readonly [file: string, args: readonly string[]])[] = [
  ['policy.yaml', ['pull']],
  ['tollgate.yaml', ['adopt', 'a.example']],
  ['.tollgate/history.jsonl', ['apply', '--yes', '--allow-erase']],
  ['plan.json', ['plan', '--out', 'plan.json']],
  ['.tollgate-cache.json', ['lint', '--cache', 'policy.yaml']],
  ['tollgate-baseline.json', ['lint', '--write-baseline', 'policy.yaml']],
  ['policy.yaml', ['lint', '--fix', '--rule', 'doc/empty-phase=on', 'policy.yaml']],
  ['policy.yaml', ['fmt', 'policy.yaml']],
  ['policy.yaml', ['migrate', '--write', 'policy.yaml']],
  ['report.json', ['check', '-f', 'json=report.json', 'policy.yaml']],
  ['report.json', ['lint', '-f', 'json', '-o', 'report.json', 'policy.yaml']],
  ['report.html', ['replay', '-f', 'html=report.html', 'policy.yaml', 'traffic.jsonl']],
  ['decisions.csv', ['replay', '-f', 'decisions=decisions.csv', 'policy.yaml', 'traffic.jsonl']],
  ['impact.json', ['impact', '-f', 'json=impact.json', 'old.yaml', 'policy.yaml', 'traffic.jsonl']],
  ['policy.js', ['compile', '--to', 'module', '-o', 'policy.js', 'policy.yaml']],
  ['policy.yaml.snapshot', ['snapshot', '--update', 'policy.yaml', 'traffic.jsonl']],
  ['recorded.test.yaml', ['record', '-o', 'recorded.test.yaml', 'policy.yaml', 'traffic.jsonl']],
  ['policy.test.yaml', ['new', 'test', 'policy.yaml']],
  ['new.yaml', ['new', 'policy', '--template', 'block', 'new.yaml']],
  ['lint-rules/no-log.mts', ['new', 'rule', 'team/no-log']],
  ['policies/block.yaml', ['init', '--template', 'block']],
  ['.github/workflows/tollgate.yml', ['init', '--template', 'block', '--ci', 'github']],
];

/** What is planted for a file. Returns nothing if a file cannot be planted there. */
const PLANTS: readonly (readonly [name: string, plant: (file: string) => void])[] = [
  ['a link to a file', file => symlinkSync(relative(dirname(file), at('outside/file')), file)],
  ['a link to a missing file', file => symlinkSync(at('outside/missing'), file)],
  [
    'a link to a link',
    file => {
      symlinkSync(at('outside/missing'), project('inner'));
      symlinkSync(project('inner'), file);
    },
  ],
];

describe.each(WRITERS)('%s', (file, args) => {
  it('is written by its command', async () => {
    const isThere = (name: string) => (existsSync(project(name)) ? readFileSync(project(name), 'utf8') : undefined);
    const before = isThere(file);
    // Not part of the attack: it takes another API to publish.
    await run(args);
    if (file !== 'tollgate.yaml') expect(isThere(file)).not.toBe(before);
  });

  it.each(PLANTS)('is not written through %s', async (_, plant) => {
    rmSync(project(file), { force: true });
    mkdirSync(dirname(project(file)), { recursive: true });
    plant(project(file));
    const before = untouched();
    const { code, errors } = await run(args);
    expect(untouched()).toEqual(before);
    // `init` keeps what exists.
    if (args[0] !== 'init') expect([code, errors]).not.toEqual([0, '']);
  });

  it('is not written through a link above it', async () => {
    const folder = dirname(file);
    if (folder === '.') return;
    const first = project(folder.split('/')[0]!);
    rmSync(first, { force: true, recursive: true });
    symlinkSync(at('outside'), first);
    const before = untouched();
    const { code, errors } = await run(args);
    expect(untouched()).toEqual(before);
    expect(code).not.toBe(0);
    expect(errors).toContain('leads out of');
  });
});

/** Names of settings that must not be used, whatever is there. */
const OUTSIDE = [
  '../outside/file',
  '../outside/new.yaml',
  'sub/../../outside/file',
  '/ABSOLUTE/outside/file',
  '/dev/null',
];

describe('a name in settings', () => {
  it.each([...OUTSIDE, '.git/config', '.git/hooks/post-commit', '.GIT/hooks/pre-push', 'pipe'])(
    'is refused as policy to pull: %s',
    async name => {
      execFileSync('mkfifo', [project('pipe')]);
      settings({ policy: name.replace('/ABSOLUTE', home) });
      const before = untouched();
      const { code, errors } = await run(['--no-trust', 'pull']);
      expect([code, untouched()]).toEqual([3, before]);
      expect(errors).toMatch(/: it is (outside of|not a regular file)|: it belongs to Git/);
    },
  );

  it.each([...OUTSIDE, '.git/config', 'pipe'])('is refused as history: %s', async name => {
    execFileSync('mkfifo', [project('pipe')]);
    settings({ more: `history: { path: '${name.replace('/ABSOLUTE', home)}' }\n` });
    const before = untouched();
    const { code, errors } = await run(['apply', '--yes', '--allow-erase']);
    expect([code, untouched()]).toEqual([3, before]);
    expect(errors).toMatch(/: it is (outside of|not a regular file)|: it belongs to Git/);
  });

  it.each<[string, string, readonly string[]]>([
    ['env', 'env: [NAME]', ['check', 'policy.yaml']],
    ['lint.extends', 'lint: { extends: [NAME] }', ['lint', 'policy.yaml']],
    ['gates.impact', 'gates: { impact: { traffic: [NAME], maxChanged: 0 } }', ['apply', '--yes', '--allow-erase']],
    ['gates.tests', 'gates: { lint: off, tests: [NAME] }', ['apply', '--yes', '--allow-erase']],
    ['caFile', 'X', ['plan']],
    ['apiKey.file', 'X', ['plan']],
  ])('is not read as `%s` unless it is a regular file of the repository', async (member, text, args) => {
    const names = [
      '/ABSOLUTE/outside/secret',
      '../outside/secret',
      '/proc/self/environ',
      './link',
      './folder/secret',
      './pipe',
    ];
    execFileSync('mkfifo', [project('pipe')]);
    symlinkSync(at('outside/secret'), project('link'));
    symlinkSync(at('outside'), project('folder'));
    for (const name of names) {
      const path = name.replace('/ABSOLUTE', home);
      settings({ more: '' });
      const key = member === 'apiKey.file' ? `{ file: '${path}' }` : '{ env: TOLLGATE_API_KEY }';
      const ca = member === 'caFile' ? `, caFile: '${path}'` : '';
      const base = readFileSync(project('tollgate.yaml'), 'utf8').replace('{ env: TOLLGATE_API_KEY }', `${key}${ca}`);
      const more = text === 'X' ? '' : `${text.replace('NAME', path)}\n`;
      put('project/tollgate.yaml', `${text.startsWith('gates') ? base.replace(/^gates.*\n/m, '') : base}${more}`);
      if (member === 'apiKey.file') await run(['trust', 'environment']);
      const { code, output, errors } = await run(['--no-trust', ...args]);
      expect([name, code]).toEqual([name, 3]);
      expect(output + errors).not.toContain('AKIAverysecretvalue');
      expect(output + errors).toMatch(/which you have not trusted; review it|not a regular file/);
    }
  });
});

describe('a link of a repository', () => {
  it.each<[string, readonly string[]]>([
    ['check', ['check', 'link.yaml']],
    ['lint', ['lint', 'link.yaml']],
    ['fmt', ['fmt', '--diff', 'link.yaml']],
    ['test', ['test', 'linked.test.yaml']],
    ['trace', ['trace', 'link.yaml', '--url', 'https://a.example/']],
    ['replay', ['replay', 'policy.yaml', 'link.yaml']],
    ['trace --request', ['trace', 'policy.yaml', '--request', 'link.yaml#1']],
    ['impact', ['impact', 'policy.yaml', 'old.yaml', 'link.yaml']],
    ['prove', ['prove', 'policy.yaml']],
    ['settings', ['check', 'policy.yaml']],
    ['baseline', ['lint', 'policy.yaml']],
  ])('is not followed out of it by %s', async (name, args) => {
    symlinkSync(at('outside/secret'), project('link.yaml'));
    put('project/linked.test.yaml', 'policy: link.yaml\ntests: [{ name: a, expect: { outcome: passed } }]\n');
    if (name === 'prove') symlinkSync(at('outside/secret'), project('policy.invariants.yaml'));
    if (name === 'settings') {
      rmSync(project('tollgate.yaml'));
      symlinkSync(at('outside/secret'), project('tollgate.yaml'));
    }
    if (name === 'baseline') symlinkSync(at('outside/secret'), project('tollgate-baseline.json'));
    const { code, output, errors } = await run(args);
    expect(code).toBe(3);
    expect(output + errors).not.toContain('AKIAverysecretvalue');
    expect(errors).toContain('leads out of');
  });

  it('is followed inside of it, and everywhere in a trusted directory', async () => {
    mkdirSync(project('shared'));
    put('project/shared/a.yaml', POLICY);
    symlinkSync('shared/a.yaml', project('inside.yaml'));
    symlinkSync(at('outside/file'), project('link.yaml'));
    expect((await run(['check', 'inside.yaml'])).errors).toBe('');
    expect((await run(['--trust', 'check', 'link.yaml'])).errors).toBe('');
    expect((await run(['fmt', 'inside.yaml'])).code).toBe(0);
    expect(readFileSync(project('shared/a.yaml'), 'utf8')).not.toBe(POLICY);
    const before = untouched();
    expect((await run(['--trust', 'fmt', 'link.yaml'])).code).toBe(3);
    expect(untouched()).toEqual(before);
  });

  it.each<[string, readonly string[]]>([
    ['tollgate.yaml', ['check', 'policy.yaml']],
    ['tollgate-baseline.json', ['lint', 'policy.yaml']],
    ['.tollgate-cache.json', ['lint', '--cache', 'policy.yaml']],
    ['policy.test.yaml', ['lint', '--rule', 'test/rule-untested=on', 'policy.yaml']],
    ['policy.invariants.yaml', ['prove', 'policy.yaml']],
    ['policy.yaml.snapshot', ['snapshot', 'policy.yaml', 'traffic.jsonl']],
    ['.tollgate/history.jsonl', ['history']],
  ])('named %s is not waited for if it is a pipe', async (name, args) => {
    rmSync(project(name), { force: true });
    mkdirSync(dirname(project(name)), { recursive: true });
    execFileSync('mkfifo', [project(name)]);
    const { code } = await run(args);
    expect([0, 1, 3]).toContain(code);
  });

  it.each(['-o', '--out', '-f json='])('named with %s is not waited for if it is a pipe', async option => {
    execFileSync('mkfifo', [at('pipe')]);
    const path = at('pipe');
    const args = {
      '-o': ['lint', '-f', 'json', '-o', path, 'policy.yaml'],
      '--out': ['plan', '--out', path],
      '-f json=': ['check', '-f', `json=${path}`, 'policy.yaml'],
    }[option]!;
    expect(await run(args)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('it is a pipe, which may have no reader; write to `/dev/stdout`, and pipe that'),
    });
  });

  it('does not tell what was published, whatever key comes with the history', async () => {
    const key = Buffer.alloc(32, 7);
    const keyed = createKeyed(key);
    const modules = {
      live: canonicalModule('policy', ROUTE.policy),
      planted: canonicalModule('policy', { inbound: [] }),
    };
    const run1 = { run: 'r', time: '2026-01-01T00:00:00.000Z', command: 'apply', environment: 'p' } as const;
    const entries: readonly JournalEntry[] = [
      { kind: 'begin', ...run1, url, who: 'you', keyId: keyed.keyId, sequence: 1 },
      {
        kind: 'intent',
        run: 'r',
        target: 't',
        ref: { kind: 'https-route', id: 'r1', edgeId: 'e1' },
        module: 'policy',
        before: modules.planted,
        after: modules.live,
        beforeFingerprint: keyed.fingerprint(modules.planted),
        afterFingerprint: keyed.fingerprint(modules.live),
      },
      { kind: 'outcome', run: 'r', target: 't', module: 'policy', holds: 'after' },
      { kind: 'end', run: 'r', outcome: 'applied' },
    ];
    const lines = entries.map(one => JSON.stringify({ ...one, code: keyed.fingerprint({ ...one } as JsonObject) }));
    put('project/.tollgate/history.jsonl', `${lines.join('\n')}\n`);
    put('project/.tollgate/history.jsonl.key', key.toString('base64'));
    expect(await run(['rollback', '--yes'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('nothing to roll back: no run is in effect'),
    });
    expect((await run(['drift'])).output).toContain('policy: never applied');
    expect(await run(['history'])).toEqual({
      code: 0,
      output: 'nothing was published yet\n',
      errors:
        'tollgate: note: 4 entries of `.tollgate/history.jsonl` were not written with the history key of this user; ignored\n',
    });
  });

  it('does not stop what the user names elsewhere', async () => {
    expect((await run(['check', '-f', `json=${at('outside/report.json')}`, 'policy.yaml'])).code).toBe(0);
    symlinkSync(at('outside/report.json'), at('mine'));
    expect((await run(['check', '-f', `json=${at('mine')}`, at('outside/file')])).code).toBe(0);
    expect((await run(['check', '-f', 'json=/dev/null', 'policy.yaml'])).code).toBe(0);
  });

  it('cannot hide behind a home directory in Git', async () => {
    put('.git/config', '');
    rmSync(project('.git'), { recursive: true });
    settings({ policy: '../outside/file' });
    const before = contents(at('outside'));
    vi.stubEnv('HOME', home);
    const { code } = await run(['pull']);
    expect(contents(at('outside'))).toEqual(before);
    expect(code).toBe(3);
  });
});
