import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOTICES } from '../../scripts/bundle-command.ts';
import { installedChunks, installedCommand } from '../support/installed-command.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-published-'));

/** The modules in each file of the bundle. */
const modulesOf = new Map<string, readonly string[]>();

/** `NAME VERSION` of each package with code in the bundle. */
const bundledPackages = new Set<string>();

/** Runs the command as installed, without its sources and the packages it was built from. */
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
  cpSync(join(await installedCommand(), '../..'), home, { recursive: true });
  for (const { fileName, moduleIds, lengths } of await installedChunks()) {
    modulesOf.set(fileName, moduleIds);
    for (const [index, id] of moduleIds.entries()) {
      const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
      if (folder === undefined || lengths[index] === 0) continue;
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      bundledPackages.add(`${name} ${version}`);
    }
  }
});

afterAll(() => rmSync(home, { recursive: true }));

it('contains the licence of every bundled package, and of no other', () => {
  const notices = readFileSync(join(home, 'dist/bundle', NOTICES), 'utf8');
  const listed = [...notices.matchAll(/^(\S+ \d\S*) \([\w. -]+\)\n\n(.+)$/gm)].map(([, name]) => name);
  expect(bundledPackages).toContain(`commander ${version('commander')}`);
  expect(listed.sort()).toEqual([...bundledPackages].sort());
});

function version(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
}

it('checks a policy', () => {
  expect(tollgate('check', resolve('examples/policies/block-bots.yaml'))).toEqual([0, 'no problems in 1 file\n', '']);
});

it('prints the same with cached code', () => {
  const lint = () => tollgate('lint', resolve('examples/policies/bookshop.yaml'));
  const first = lint();
  expect(first[0]).toBe(0);
  expect([lint(), lint()]).toEqual([first, first]);
  expect(readdirSync(join(home, 'cache/tollgate/code'))).not.toEqual([]);
});

it('runs without cached code if its directory is not private', () => {
  const cache = join(home, 'open-cache');
  mkdirSync(join(cache, 'tollgate/code'), { recursive: true, mode: 0o777 });
  chmodSync(join(cache, 'tollgate/code'), 0o777);
  const check = ['check', resolve('examples/policies/block-bots.yaml')];
  expect(tollgateWith({ XDG_CACHE_HOME: cache }, check)[0]).toBe(0);
  expect(readdirSync(join(cache, 'tollgate/code'))).toEqual([]);
});

it('lints patterns with the parser and the analyser that it loads on demand', () => {
  const policy = join(home, 'patterns.yaml');
  const condition = "req.Path.matches('^/old/([a-z]+)+$')";
  writeFileSync(policy, `inbound: [{expressions: ["${condition}"], actions: [{type: deny}]}]\n`);
  const [code, out, err] = tollgate('lint', '--fail-on', 'warning', '-f', 'json', policy);
  expect([code, err]).toEqual([1, '']);
  expect(JSON.parse(String(out)).diagnostics.map((diagnostic: { code: string }) => diagnostic.code)).toEqual([
    'url/path-spellings',
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

it('imports user-supplied modules and modules of Node without a warning', () => {
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

it('uses the cached code of a replay, although it sets flags of V8', () => {
  const cache = join(home, 'cache-of-replay');
  const replay = ['replay', resolve('examples/policies/bookshop.yaml'), resolve('examples/traffic/access.log')];
  const runs = [1, 2, 3].map(() => {
    tollgateWith({ XDG_CACHE_HOME: cache }, replay);
    const [file] = globSync(join(cache, 'tollgate/code/*/main.cjs'));
    return readFileSync(file!).at(-1);
  });
  // Rejected code starts again at 1.
  expect(runs).toEqual([1, 2, 3]);
});

it('runs in a clone while no source has changed', () => {
  const cli = join(home, 'clone/packages/cli');
  const main = join(cli, 'src/main.ts');
  mkdirSync(join(cli, 'src/start'), { recursive: true });
  cpSync(join(home, 'bin'), join(cli, 'bin'), { recursive: true });
  cpSync(join(home, 'dist'), join(cli, 'dist'), { recursive: true });
  writeFileSync(main, '');
  writeFileSync(join(cli, 'src/start-command.ts'), "export const startCommand = () => console.log('sources');\n");
  const run = () =>
    spawnSync(process.execPath, [join(cli, 'bin/tollgate.js'), '--version'], { encoding: 'utf8' }).stdout;
  expect(run()).toBe('sources\n');
  const { size, mtimeMs } = statSync(main);
  writeFileSync(join(cli, 'dist/bundle-inputs.json'), JSON.stringify([['packages/cli/src/main.ts', size, mtimeMs]]));
  expect(run()).toMatch(/^\d+\.\d+\.\d+\n$/);
  writeFileSync(main, ' ');
  expect(run()).toBe('sources\n');
});

/** Modules that an ordinary start must not load: each costs more than checking a policy. */
const HEAVY =
  /node_modules\/(?:yaml|re2js|@eslint-community|scslre|refa|zod|fastify|kysely)\/|packages\/(?:traffic|simulator|edge-api|edge-server)\/|cel\/src\/(?:codegen|closures|indexing)\/|policy\/src\/(?:migrate\/migrate|schema)|diagnostics\/src\/report\/(?:sarif|junit)/;

it.each([
  ['check', ['check', 'main', 'options', 'rolldown-runtime']],
  ['lint', ['check', 'lint', 'main', 'options', 'rolldown-runtime']],
])('loads only a few files for `%s`, with nothing heavy in them', (command, expected) => {
  const policy = join(home, 'plain.yaml');
  const rule = `{name: posts, expressions: ["req.Method == 'POST'"], actions: [{type: deny}]}`;
  writeFileSync(policy, `inbound: [${rule}]\n`);
  const loaded = atExit('Object.keys(require.cache)', [command, policy]).map(path => basename(path));
  const chunks = loaded.filter(name => modulesOf.has(name));
  expect(chunks.map(name => name.replace(/(?:-[\w-]{8})?\.cjs$/, '')).sort()).toEqual(expected);
  expect(chunks.flatMap(name => modulesOf.get(name)!).filter(id => HEAVY.test(id))).toEqual([]);
});

/** Runs the command without problems, and returns the strings that an expression evaluates to at its exit. */
function atExit(expression: string, args: readonly string[]): readonly string[] {
  const hook = join(home, 'at-exit.cjs');
  const file = join(home, 'at-exit.json');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(${expression}))`;
  writeFileSync(hook, `process.on('exit', () => ${write});`);
  const command = ['--require', hook, join(home, 'bin/tollgate.js'), ...args];
  const { status } = spawnSync(process.execPath, command, { cwd: home, env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  expect(status).toBe(0);
  return JSON.parse(readFileSync(file, 'utf8'));
}

it('loads no large modules of Node', () => {
  const loaded = atExit('process.moduleLoadList', ['lint', join(home, 'plain.yaml')]);
  expect(loaded).toContain('NativeModule fs');
  const large = /^NativeModule (?:child_process|crypto|fs\/promises|net|stream|tty|worker_threads)$/;
  expect(loaded.filter(name => large.test(name))).toEqual([]);
});
