import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source-file.ts';
import { envoyProgram } from '../servers/envoy-server.ts';
import { freePort } from '../servers/log-servers.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';

// `tollgate enforce` as `examples/envoy` and the guide use it, in a folder of another project.

const COMMAND = await installedCommand();
const directory = mkdtempSync(join(tmpdir(), 'tollgate-enforce-'));
mkdirSync(join(directory, '.git'));
mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
symlinkSync(COMMAND, join(directory, 'node_modules/.bin/tollgate'));
cpSync(join(ROOT, 'examples/envoy'), join(directory, 'envoy'), { recursive: true });
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const program = envoyProgram();

function tollgate(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'enforce', ...args], {
    cwd: join(directory, 'envoy'),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.skipIf(program === undefined)('the example with Envoy', () => {
  it('is started by one command, and its log replays to what was decided', async () => {
    const ports = { APPLICATION_PORT: 0, EXT_PROC_PORT: 0, ENVOY_PORT: 0 };
    for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
    const { status, stdout, stderr } = spawnSync('./start.sh', {
      cwd: join(directory, 'envoy'),
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
        HOME: directory,
        ENVOY: program!,
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      },
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('GET /books, checked by tollgate\n');
    expect(stdout).toContain('HTTP/1.1 403 Forbidden');
    expect(stdout).toContain('We are repairing this. Please come back in a minute.\n');
    expect(stdout).not.toContain('stack trace');
    expect(stdout).toMatch(/ {2}passed +\d+ .*\n +replaced with 503 +1 .*\n +denied with 403 +1 /);
  });
});

/** What runs in a container of the example. */
interface Service {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

describe('the example in containers', () => {
  const folder = join(directory, 'envoy');
  const { services } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as {
    readonly services: Readonly<Record<'policy' | 'application', Service>>;
  };

  it('has the configuration that its first line prints', () => {
    const [line, ...written] = readFileSync(join(folder, 'envoy.yaml'), 'utf8').split('\n');
    const args = /^# npx tollgate enforce (.*) > envoy\.yaml$/.exec(line!)![1]!.split(' ');
    expect(tollgate(...args).stdout.split('\n')).toEqual(written);
  });

  it.skipIf(program === undefined)('does the same where names lead to one machine', async () => {
    const ports = {
      '3000': await freePort(),
      '9191': await freePort(),
      '9192': await freePort(),
      '10000': await freePort(),
    };
    const local = (text: string) =>
      Object.entries(ports)
        .reduce((all, [port, own]) => all.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(own)), text)
        .replaceAll('/srv/', `${folder}/`)
        .replaceAll(/address: (?:policy|application)/g, 'address: 127.0.0.1');
    writeFileSync(join(directory, 'envoy.yaml'), local(readFileSync(join(folder, 'envoy.yaml'), 'utf8')));
    const environment = {
      ...process.env,
      ...services.application.environment,
      APPLICATION_PORT: String(ports['3000']),
    };
    const [node, ...script] = services.application.command.map(local);
    const health = services.policy.healthcheck!.test.slice(1).map(local);
    const [checker, ...check] = health;
    expect([node, checker]).toEqual(['node', 'node']);
    const options = { cwd: directory, stdio: 'ignore' } as const;
    const started = [
      spawn(process.execPath, script, { ...options, env: environment }),
      spawn(process.execPath, [COMMAND, ...services.policy.command.map(local)], options),
    ];
    try {
      // As Compose waits for it.
      await eventually(() => spawnSync(process.execPath, check).status === 0);
      const args = ['-c', join(directory, 'envoy.yaml'), '--concurrency', '1', '--disable-hot-restart', '-l', 'off'];
      started.push(spawn(program!, args, options));
      const url = `http://127.0.0.1:${ports['10000']}`;
      const statusOf = async (path: string) => (await fetch(url + path).catch(() => undefined))?.status;
      await eventually(async () => (await statusOf('/')) === 200);
      expect([await statusOf('/books'), await statusOf('/admin/'), await statusOf('/broken')]).toEqual([200, 403, 503]);
      const replayed = spawnSync(process.execPath, [COMMAND, 'replay', `${folder}/policy.yaml`, 'decisions.jsonl'], {
        cwd: directory,
        encoding: 'utf8',
      });
      expect(replayed.stdout).toMatch(/ {2}replaced with 503 +1 .*\n +denied with 403 +1 /);
    } finally {
      for (const child of started) child.kill('SIGKILL');
    }
  });
});

describe('the configuration of Envoy', () => {
  it('has what the policy reads, and is the one that the guide shows', () => {
    const { status, stdout } = tollgate('--envoy-config', 'policy.yaml');
    expect([status, stdout]).toEqual([0, expect.stringContaining('request_attributes:\n        - source.address\n')]);
    const guide = readFileSync(join(ROOT, 'docs/guide/enforcing.md'), 'utf8');
    expect(guide).toContain(stdout.split('\n').slice(0, 5).join('\n'));
  });

  it('is that of the filter for connections, for a policy about these', () => {
    writeFileSync(join(directory, 'envoy/tcp.yaml'), 'on_tcp_connect:\n  - actions:\n      - type: close-connection\n');
    const { status, stdout } = tollgate('--envoy-config', '--endpoint', 'tcp-endpoint', 'tcp.yaml');
    expect([status, stdout]).toEqual([0, expect.stringContaining('name: envoy.filters.network.ext_authz\n')]);
  });

  it('is refused with the position of what Envoy cannot do', () => {
    const policy = 'on_http_request:\n  - actions:\n      - type: close-connection\n';
    writeFileSync(join(directory, 'envoy/closing.yaml'), policy);
    const { status, stdout } = tollgate('--envoy-config', 'closing.yaml');
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('error[enforce/unsupported]: `close-connection` is not carried out by Envoy\n'),
    ]);
    expect(stdout).toContain('closing.yaml:3:');
  });
});

writeFileSync(join(directory, 'envoy/connections.yaml'), 'on_tcp_connect: [{ actions: [{ type: deny }] }]\n');

it.each([
  [['--ext-proc', 'here', 'policy.yaml'], 2, '`--ext-proc` expects a port'],
  [['--metrics', '70000', 'policy.yaml'], 2, '`--metrics` expects a port'],
  [
    ['--envoy-config', '--upstream', 'https://a.example', 'policy.yaml'],
    2,
    '`--upstream` expects an application without TLS such as `http://127.0.0.1:3000`, found `https://a.example`',
  ],
  [['--upstream', 'http://127.0.0.1:3000', 'policy.yaml'], 2, 'expected `--upstream` with `--envoy-config`'],
  [
    ['--envoy-config', '--upstream', 'http://127.0.0.1:3000', '--endpoint', 'tcp-endpoint', 'connections.yaml'],
    2,
    'expected no `--upstream`',
  ],
  [['nothere.yaml'], 3, 'no such file'],
  [['-'], 2, 'expected a policy in a file'],
])('%j is refused', (args, code, message) => {
  const { status, stderr } = tollgate(...args);
  expect([status, stderr]).toEqual([code, expect.stringContaining(message)]);
});
