import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleCommand } from '../../scripts/bundle-command.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-published-'));

/** By the names of its files, what the bundle is made of. */
const modulesOf = new Map<string, readonly string[]>();

/** Runs the command as one who installed it does: there are no sources beside it, nor the packages it was made of. */
function tollgate(...args: readonly string[]) {
  return tollgateWith({ XDG_CACHE_HOME: join(home, 'cache') }, args);
}

function tollgateWith(env: Readonly<Record<string, string>>, args: readonly string[], cwd = '.') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, 'bin/tollgate.js'), ...args], {
    encoding: 'utf8',
    env,
    cwd,
  });
  return [status, stdout, stderr];
}

beforeAll(async () => {
  cpSync('packages/cli/bin', join(home, 'bin'), { recursive: true });
  cpSync('packages/cli/package.json', join(home, 'package.json'));
  for (const { fileName, moduleIds } of await bundleCommand(join(home, 'dist/bundle')))
    modulesOf.set(fileName, moduleIds);
});

afterAll(() => rmSync(home, { recursive: true }));

it('checks a policy', () => {
  expect(tollgate('check', resolve('examples/policies/block-bots.yaml'))).toEqual([0, 'no problems in 1 file\n', '']);
});

it('says the same when its code is kept from an earlier run', () => {
  const lint = () => tollgate('lint', resolve('examples/policies/bookshop.yaml'));
  const first = lint();
  expect(first[0]).toBe(0);
  expect([lint(), lint()]).toEqual([first, first]);
  const [build = ''] = readdirSync(join(home, 'cache/tollgate/code'));
  expect(readdirSync(join(home, 'cache/tollgate/code', build))).toContain('main.cjs');
});

it('lints patterns with the parser and the analyser that it loads late', () => {
  const policy = join(home, 'patterns.yaml');
  const condition = "req.Path.matches('^/old/([a-z]+)+$')";
  writeFileSync(policy, `inbound: [{expressions: ["${condition}"], actions: [{type: deny}]}]\n`);
  const [code, out, err] = tollgate('lint', '--fail-on', 'warning', '-f', 'json', policy);
  expect([code, err]).toEqual([1, '']);
  expect(JSON.parse(String(out)).diagnostics.map((diagnostic: { code: string }) => diagnostic.code)).toEqual([
    'regex/redos',
  ]);
});

it('traces a request', () => {
  const exchange = join(home, 'exchange.yaml');
  writeFileSync(exchange, 'request: { method: GET, url: https://books.example/robots.txt }\n');
  for (const format of ['text', 'json', 'html']) {
    const args = ['examples/policies/bookshop.yaml', '--request', exchange, '--format', format];
    const [code, out, err] = tollgate('trace', ...args);
    expect([format, code, err]).toEqual([format, 0, '']);
    expect(out).toContain('no training of language models');
  }
});

it('imports modules of users, and of Node, without a warning', () => {
  const project = join(home, 'project');
  mkdirSync(project);
  const env = 'export default { variables: [{ path: "req.Tenant", type: "string" }] };';
  writeFileSync(join(project, 'env.js'), env);
  writeFileSync(join(project, 'tollgate.yaml'), 'env: [env.js]\n');
  const rule = `{name: tenants, expressions: ["req.Tenant == 'a'"], actions: [{type: deny}]}`;
  writeFileSync(join(project, 'policy.yaml'), `inbound: [${rule}]\n`);
  const check = () =>
    tollgateWith({ XDG_CACHE_HOME: join(home, 'cache'), TOLLGATE_TRUST: '1' }, ['check', '.'], project);
  expect([check(), check()]).toEqual(Array(2).fill([0, 'no problems in 1 file\n', '']));
});

it('replays traffic', () => {
  const [code, out, err] = tollgate('replay', 'examples/policies/bookshop.yaml', 'examples/traffic/access.log');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('exchanges');
});

it('takes the code that a replay has kept, although it sets flags of V8', () => {
  const cache = join(home, 'cache-of-replay');
  const replay = ['replay', resolve('examples/policies/bookshop.yaml'), resolve('examples/traffic/access.log')];
  for (const run of [1, 2, 3]) {
    expect(tollgateWith({ XDG_CACHE_HOME: cache }, replay)[0]).toBe(0);
    const [build = ''] = readdirSync(join(cache, 'tollgate/code'));
    // The last byte counts the runs that had a use for what was there.
    expect(readFileSync(join(cache, 'tollgate/code', build, 'main.cjs')).at(-1)).toBe(run);
  }
});

/** What no ordinary start is to load: each costs more than the look at a policy. */
const HEAVY =
  /node_modules\/(?:yaml|re2js|@eslint-community|scslre|refa|zod|fastify|kysely)\/|packages\/(?:traffic|simulator|edge-api|edge-server)\/|cel\/src\/(?:codegen|closures|indexing)\/|policy\/src\/(?:migrate\/migrate|schema)|diagnostics\/src\/report\/(?:sarif|junit)/;

it.each([
  ['check', ['check', 'main', 'options', 'rolldown-runtime']],
  ['lint', ['check', 'lint', 'main', 'options', 'rolldown-runtime']],
])('loads for `%s` four or five files with nothing heavy in them', (command, expected) => {
  const cache = join(home, `cache-of-${command}`);
  const policy = join(home, 'plain.yaml');
  const rule = `{name: posts, expressions: ["req.Method == 'POST'"], actions: [{type: deny}]}`;
  writeFileSync(policy, `inbound: [${rule}]\n`);
  expect(tollgateWith({ XDG_CACHE_HOME: cache }, [command, policy], home)).toEqual([0, 'no problems in 1 file\n', '']);
  const [build = ''] = readdirSync(join(cache, 'tollgate/code'));
  const loaded = readdirSync(join(cache, 'tollgate/code', build));
  expect(loaded.map(name => name.replace(/(?:-[\w-]{8})?\.cjs$/, '')).sort()).toEqual(expected);
  expect(loaded.flatMap(name => modulesOf.get(name)!).filter(id => HEAVY.test(id))).toEqual([]);
});

it('loads no modules of Node that are large', () => {
  const list = join(home, 'list-modules.cjs');
  const names = join(home, 'modules.txt');
  const written = `require('node:fs').writeFileSync(${JSON.stringify(names)}, process.moduleLoadList.join('\\n'))`;
  writeFileSync(list, `process.on('exit', () => ${written});`);
  const policy = join(home, 'plain.yaml');
  const args = ['--require', list, join(home, 'bin/tollgate.js'), 'lint', policy];
  expect(spawnSync(process.execPath, args, { cwd: home, env: {}, stdio: ['ignore', 'ignore', 'pipe'] }).status).toBe(0);
  const loaded = readFileSync(names, 'utf8').split('\n');
  expect(loaded).toContain('NativeModule vm');
  // commander imports `child_process`, which brings `stream`.
  const large = /^NativeModule (?:fs\/promises|crypto|worker_threads|tty)$/;
  expect(loaded.filter(name => large.test(name))).toEqual([]);
});
