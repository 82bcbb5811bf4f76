import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source-file.ts';
import { createShop, type Shop } from '../e2e/publish/shop.ts';
import { startTestServer, type TestServer } from '../edge-server/test-server.ts';

const COMMAND = join(ROOT, 'packages/cli/bin/tollgate.js');

let directory: string;
let server: TestServer;
let shop: Shop;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-ci-'));
  server = await startTestServer({ development: true });
  shop = await createShop(server, 2);
  mkdirSync(join(directory, 'bin'));
  writeFileSync(join(directory, 'bin/tollgate'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`, {
    mode: 0o755,
  });
  git('.', 'init', '-q', '--bare', 'shop.git');
  git('.', 'clone', '-q', 'shop.git', 'work');
});

afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  const options = { cwd: join(directory, cwd), encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', [...identity, ...args], options).trim();
}

/** Commits files to the repository, as somebody at work does. */
function push(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, 'work', name), text);
  git('work', 'add', '-A');
  git('work', 'commit', '-qm', 'x');
  git('work', 'push', '-q', 'origin', 'HEAD:main');
}

/** A machine that has never published anything: a shallow checkout, and a home of its own. */
function freshMachine(name: string): string {
  mkdirSync(join(directory, name, 'home'), { recursive: true });
  git(name, 'clone', '-q', '--depth', '1', '--branch', 'main', `file://${directory}/shop.git`, 'checkout');
  return name;
}

async function run(machine: string, line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(line[0]!, line.slice(1), {
    cwd: join(directory, machine, 'checkout'),
    env: {
      PATH: `${directory}/bin:${process.env.PATH}`,
      HOME: join(directory, machine, 'home'),
      USER: machine,
      TOLLGATE_API_KEY: server.token,
      TOLLGATE_TRUSTED_URL: server.url,
      ...env,
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      log += text;
    });
  const code = await new Promise(done => child.once('close', done));
  return { code, log };
}

/** Runs a step of the action, as GitHub does after a push to the default branch. */
async function step(machine: string, name: 'plan' | 'apply') {
  writeFileSync(join(directory, machine, 'event.json'), '{}');
  return await run(machine, [process.execPath, join(ROOT, 'integrations/github/action.mjs'), name], {
    GITHUB_EVENT_PATH: join(directory, machine, 'event.json'),
    RUNNER_TEMP: join(directory, machine),
    TOLLGATE_ENVIRONMENT: 'production',
    TOLLGATE_COMMAND: JSON.stringify([process.execPath, COMMAND]),
  });
}

/** Runs the script of a job of the GitLab template. */
async function job(machine: string, name: string) {
  const file = parse(readFileSync(join(ROOT, 'integrations/gitlab/tollgate.gitlab-ci.yml'), 'utf8')) as Readonly<
    Record<string, { readonly script: readonly string[] }>
  >;
  const env = { TOLLGATE_ENVIRONMENT: 'production' };
  return await run(machine, ['sh', '-ec', file[name]!.script.join('\n')], env);
}

function project(targets: Readonly<Record<string, string>>): string {
  const lines = Object.entries(targets).map(
    ([name, match]) => `  ${name}: { policy: shop.yaml, route: { edge: "${shop.host}:443", match: ${match} } }\n`,
  );
  const environment = `{ url: "${server.url}", apiKey: { env: TOLLGATE_API_KEY } }`;
  return `environments:\n  production: ${environment}\ntargets:\n${lines.join('')}`;
}

function policy(...rules: readonly string[]): string {
  const shown = rules.map(
    name =>
      `  - name: ${name}\n    expressions: ["req.URL.contains('/${name.replaceAll(' ', '-')}')"]\n    actions: [{ type: deny }]\n`,
  );
  return `inbound:\n${shown.join('')}`;
}

/** The names of the rules of each route. */
async function live(): Promise<readonly (readonly string[])[]> {
  const { body } = await server.call('GET', `/edges/https/${shop.edge}`);
  const { routes } = body as {
    readonly routes: readonly { id: string; policy: { inbound: { name: string }[] } | null }[];
  };
  return shop.routes.map(id => routes.find(one => one.id === id)!.policy?.inbound.map(({ name }) => name) ?? []);
}

const FIRST = ['no admin', 'no backups', 'no dumps', 'no traces'];

it('publishes from fresh runners, understands a rename, and rolls back from another machine', async () => {
  push({ 'tollgate.yaml': project({ shop: '/r0/', blog: '/r1/' }), 'shop.yaml': policy(...FIRST) });
  expect(await step(freshMachine('runner1'), 'apply')).toMatchObject({
    code: 0,
    log: expect.stringContaining('applied: 2 written'),
  });
  expect(await live()).toEqual([FIRST, FIRST]);

  // A rule with another name and other contents, and a target with another name: nothing is erased that nobody knows.
  const second = ['no administration', ...FIRST.slice(1)];
  push({ 'tollgate.yaml': project({ store: '/r0/', blog: '/r1/' }), 'shop.yaml': policy(...second) });
  expect(await step(freshMachine('runner2'), 'apply')).toMatchObject({
    code: 0,
    log: expect.stringContaining('applied: 2 written'),
  });
  expect(await live()).toEqual([second, second]);

  // On GitLab, which has never seen the earlier runs either.
  const third = [...second, 'no tests'];
  push({ 'shop.yaml': policy(...third) });
  const gitlab = freshMachine('runner3');
  expect(await job(gitlab, 'tollgate plan')).toMatchObject({
    code: 0,
    log: expect.stringContaining('no tests  added'),
  });
  expect(await job(gitlab, 'tollgate apply')).toMatchObject({ code: 0, log: expect.stringContaining('2 written') });
  expect(await live()).toEqual([third, third]);

  const other = freshMachine('laptop');
  expect(await run(other, ['tollgate', 'drift'])).toMatchObject({ code: 0, log: 'no drift in 2 targets\n' });
  expect(await run(other, ['tollgate', 'rollback'])).toMatchObject({
    code: 2,
    log: expect.stringContaining('there is no terminal to confirm'),
  });
  const commit = git('work', 'rev-parse', 'HEAD').slice(0, 10);
  const rolledBack = await run(other, ['tollgate', 'rollback', '--yes']);
  expect([rolledBack.code, rolledBack.log]).toEqual([
    0,
    expect.stringMatching(new RegExp(`undoes run \\w{8} of .*Z by runner3, commit ${commit}\n`)),
  ]);
  expect(await live()).toEqual([second, second]);
  expect(await run(freshMachine('desktop'), ['tollgate', 'rollback', '--yes'])).toMatchObject({
    code: 0,
    log: expect.stringMatching(/ by runner2, commit /),
  });
  expect(await live()).toEqual([FIRST, FIRST]);
});

it('connects through the proxy that the environment names, unless the host is excepted', async () => {
  const connected: string[] = [];
  const proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('connect', ({ url = '' }, socket) => {
    connected.push(url);
    const upstream = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
  });
  await new Promise(done => proxy.once('listening', done));
  const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const machine = freshMachine('office');
  expect(await run(machine, ['tollgate', 'plan'], { HTTP_PROXY })).toMatchObject({ code: 0 });
  expect([...new Set(connected)]).toEqual([new URL(server.url).host]);
  connected.length = 0;
  expect(await run(machine, ['tollgate', 'plan'], { HTTP_PROXY, NO_PROXY: '127.0.0.1' })).toMatchObject({ code: 0 });
  expect(connected).toEqual([]);
  proxy.closeAllConnections();
  proxy.close();
});

it('refuses what somebody else has added, and says which targets are gone', async () => {
  const [first] = shop.routes;
  const path = `/edges/https/${shop.edge}/routes/${first}/policy`;
  const { body } = await server.call('GET', path);
  const { inbound } = body as { readonly inbound: readonly object[] };
  const foreign = { name: 'made elsewhere', expressions: [], actions: [{ type: 'deny', config: null }] };
  await server.call('PUT', path, { body: { enabled: true, inbound: [...inbound, foreign] } });
  push({ 'tollgate.yaml': project({ store: '/r0/' }), 'shop.yaml': policy(...FIRST, 'no tests') });
  const { code, log } = await step(freshMachine('runner4'), 'apply');
  expect([code, log]).toEqual([
    1,
    expect.stringContaining(
      'target `store` would lose live rules that neither its file nor the last apply contains: `made elsewhere`; ',
    ),
  ]);
  expect(log).toContain(
    'note: no target is at route /r1/ of shop.example:443 any more, but what desktop published there as `blog` is still live',
  );
});

it('reads what is too large for the edge from the commit that was published, and lists what other machines did', async () => {
  // Hashes cannot be compressed into the 4096 bytes of metadata.
  const many = (seed: string) =>
    Array.from({ length: 150 }, (_, index) => createHash('sha256').update(`${seed}${index}`).digest('hex'));
  const [before, after] = [many('a'), many('b')];
  push({ 'tollgate.yaml': project({ shop: '/r0/', blog: '/r1/' }), 'shop.yaml': policy(...before) });
  const apply = ['tollgate', 'apply', '--yes', '--allow-erase'];
  expect(await run(freshMachine('large1'), apply)).toMatchObject({ code: 0 });
  push({ 'shop.yaml': policy(...after) });
  expect(await run(freshMachine('large2'), apply)).toMatchObject({ code: 0 });
  expect(await live()).toEqual([after, after]);

  const other = freshMachine('large3');
  const listing = await run(other, ['tollgate', 'history', '-f', 'json']);
  const [newest] = (JSON.parse(listing.log) as { readonly runs: readonly object[] }).runs;
  expect(newest).toMatchObject({
    number: null,
    from: ['edge'],
    command: 'apply',
    who: 'large2',
    commit: git('work', 'rev-parse', 'HEAD'),
    outcome: 'announced',
    modules: [
      { module: 'policy', holds: 'announced' },
      { module: 'policy', holds: 'announced' },
    ],
  });
  expect(await run(other, ['tollgate', 'history', '--local'])).toEqual({
    code: 0,
    log: 'nothing was published from this machine yet\n',
  });

  const refused = await run(other, ['tollgate', 'rollback', '--yes']);
  const reason =
    'what it held before is too large to be kept at the edge, and this clone does not have all commits; ' +
    'run `git fetch --unshallow`, or roll back where the run was made';
  expect([refused.code, refused.log.split(reason).length]).toEqual([1, 5]);
  expect(await live()).toEqual([after, after]);
  git('large3/checkout', 'fetch', '-q', '--unshallow');
  expect(await run(other, ['tollgate', 'rollback', '--yes'])).toMatchObject({ code: 0 });
  expect(await live()).toEqual([before, before]);
  push({ 'shop.yaml': policy(...FIRST) });
  expect(await run(freshMachine('large4'), apply)).toMatchObject({ code: 0 });
});

it('names a commit only if it is what was published', async () => {
  const machine = freshMachine('dirty');
  writeFileSync(join(directory, machine, 'checkout/shop.yaml'), policy(...FIRST, 'no drafts'));
  expect(await run(machine, ['tollgate', 'apply', '--yes'])).toMatchObject({ code: 0 });
  const commits = async (name: string) => {
    const { log } = await run(name, ['tollgate', 'history', '-f', 'json']);
    return (JSON.parse(log) as { readonly runs: readonly { commit: string | null }[] }).runs[0]!.commit;
  };
  expect([await commits(machine), await commits(freshMachine('clean'))]).toEqual([null, null]);
  expect(await run(machine, ['tollgate', 'rollback', '--yes'])).toMatchObject({ code: 0 });
});
