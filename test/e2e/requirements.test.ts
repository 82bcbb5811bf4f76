import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import type { ReplaySummary } from '@tollgate/simulator';
import type { Recording } from '@tollgate/traffic';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-requirements-'));
// Servers read it as another user.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

const POLICY = join(folder, 'policy.yaml');
writeFileSync(
  POLICY,
  `on_http_request:
  - expressions: ["req.headers['x-key'][0] == 'a \\"b\\" c'"]
    actions: [{ type: log, config: { metadata: { host: "\${req.host}" } } }]
  - expressions: ["'x-key' in req.headers && conn.client_port > 0 && conn.server_port > 0"]
    actions: [{ type: log }]
  - expressions: ["req.url.startsWith('http://shop.example/b') && hasReqHeader('Accept')"]
    actions: [{ type: deny }]
on_http_response:
  - expressions: ["res.headers['x-cache'][0] == 'hit'", res.status_code == 200]
    actions: [{ type: log }]
`,
);

const tollgate = (...args: string[]) => runCaptured(args);

async function requirements() {
  const { code, output, errors } = await tollgate('replay', '--requirements', '--format', 'json', POLICY);
  expect([code, errors]).toEqual([0, '']);
  const { recordings, inputs }: { recordings: Recording[]; inputs: { input: string; fields: string[] }[] } =
    JSON.parse(output);
  return {
    inputs,
    formatOf: (server: string) => recordings.find(recording => recording.server === server)!.logFormat!,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function started(command: string, args: string[], port: number): Promise<ChildProcess> {
  const server = spawn(command, args, { stdio: 'ignore' });
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen;
  });
  return server;
}

/** The requests of each test, as they are sent to a server. */
const REQUESTS = [
  { path: '/a', headers: { 'X-Key': 'a "b" c' } },
  { path: '/b', headers: { 'X-Key': '-x' } },
  { path: '/b?c="d"', headers: { Accept: '*/*' } },
  { path: '/c', headers: {} },
];

async function send(port: number): Promise<void> {
  for (const { path, headers } of REQUESTS) {
    const options = { port, host: '127.0.0.1', path: encodeURI(path), headers: { Host: 'shop.example', ...headers } };
    const [response] = await once(request(options).end(), 'response');
    response.resume();
    await once(response, 'end');
  }
}

/** Returns the log once it has a line for each request. */
async function logged(log: string): Promise<string> {
  await eventually(() => existsSync(log) && readFileSync(log, 'utf8').split('\n').length > REQUESTS.length);
  return log;
}

async function replayed(format: string, log: string) {
  const { code, output, errors } = await tollgate(
    ...['replay', '--format', 'json', '--log-format', format, '--absent', '-', POLICY, log],
  );
  expect([code, errors]).toEqual([0, '']);
  const { rules, undetermined, skipped, exchanges } = JSON.parse(output) as ReplaySummary;
  expect([exchanges, skipped, undetermined.exchanges]).toEqual([4, [], 0]);
  return rules.map(({ matched, notMatched, failed, undetermined: open }) => ({ matched, notMatched, failed, open }));
}

const EXPECTED = [
  // A request without the header cannot be found by it.
  { matched: 1, notMatched: 1, failed: 2, open: 0 },
  { matched: 2, notMatched: 2, failed: 0, open: 0 },
  { matched: 1, notMatched: 3, failed: 0, open: 0 },
  { matched: 2, notMatched: 1, failed: 0, open: 0 },
];

const NGINX = '/usr/sbin/nginx';
const APACHE = '/usr/sbin/apache2';
const MODULES = '/usr/lib/apache2/modules';

describe('tollgate replay --requirements', () => {
  it('lists the inputs of a policy, and the record fields that provide them', async () => {
    const { inputs } = await requirements();
    expect(inputs.map(({ input, fields }) => [input, fields.join(' ')])).toEqual([
      ['req.headers["x-key"]', 'request_headers.X-Key'],
      ['req.host', 'host'],
      ['conn.client_port', 'client_port'],
      ['conn.server_port', 'server_port'],
      ['req.headers["accept"]', 'request_headers.Accept'],
      ['req.url', 'url'],
      ['res.headers["x-cache"]', 'response_headers.X-Cache'],
      ['res.status_code', 'status'],
    ]);
  });

  it.each([
    ['another format', ['--format', 'html', POLICY], 2, 'supports only the formats `text` and `json`'],
    ['an edge', ['--edge', 'edge.json', POLICY], 2, 'does not support `--edge`; pass a policy'],
    ['a policy that is not there', [join(folder, 'none.yaml')], 3, 'no such file'],
  ])('rejects %s', async (_, args, code, message) => {
    const result = await tollgate('replay', '--requirements', ...args);
    expect([result.code, result.output]).toEqual([code, '']);
    expect(result.errors).toContain(message);
  });

  it.skipIf(!existsSync(NGINX))(
    'prints a format with which nginx records everything that the policy needs',
    async () => {
      const { formatOf } = await requirements();
      const format = formatOf('nginx');
      const [port, place] = [await freePort(), join(folder, 'nginx')];
      mkdirSync(join(place, 'temp'), { recursive: true });
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const configuration = `
      ${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${place}/pid; events {}
      http {
        ${temporary.map(name => `${name}_temp_path ${place}/temp/${name};`).join(' ')}
        ${format}
        access_log ${place}/access.log tollgate;
        server {
          listen 127.0.0.1:${port};
          location /a { add_header X-Cache hit; return 200 a; }
          location /c { add_header X-Cache hit; return 200 c; }
          location / { return 404; }
        }
      }`;
      writeFileSync(join(place, 'nginx.conf'), configuration);
      const server = await started(
        NGINX,
        ['-p', place, '-c', join(place, 'nginx.conf'), '-e', join(place, 'error.log')],
        port,
      );
      try {
        await send(port);
        expect(await replayed(format, await logged(join(place, 'access.log')))).toEqual(EXPECTED);
      } finally {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
    },
  );

  it.skipIf(!existsSync(APACHE))(
    'prints a format with which Apache records everything that the policy needs',
    async () => {
      const { formatOf } = await requirements();
      const format = formatOf('Apache');
      const [port, place] = [await freePort(), join(folder, 'apache')];
      mkdirSync(join(place, 'site'), { recursive: true });
      for (const name of ['a', 'c']) writeFileSync(join(place, 'site', name), name);
      const modules = ['mpm_event', 'authz_core', 'headers', 'socache_shmcb', 'ssl'].filter(name =>
        existsSync(`${MODULES}/mod_${name}.so`),
      );
      const configuration = `
      ${modules.map(name => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
      ServerRoot ${place}
      ServerName shop.example
      Listen 127.0.0.1:${port}
      PidFile ${place}/pid
      DefaultRuntimeDir ${place}
      ErrorLog ${place}/error.log
      DocumentRoot ${place}/site
      ${process.getuid?.() === 0 ? 'User www-data' : ''}
      Header set X-Cache hit
      ${format}
      CustomLog ${place}/access.log tollgate`;
      writeFileSync(join(place, 'apache.conf'), configuration);
      const server = await started(APACHE, ['-X', '-f', join(place, 'apache.conf')], port);
      try {
        await send(port);
        expect(await replayed(format, await logged(join(place, 'access.log')))).toEqual(EXPECTED);
      } finally {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
    },
  );
});

it('recommends for the policy of the demo site the format of its recorded day', async () => {
  const { output } = await tollgate('replay', '--requirements', 'examples/policies/bookshop.yaml');
  expect(output.split(/\naccess_log |\nnginx\n/)[1]?.trim()).toBe(
    readFileSync('examples/traffic/day.conf', 'utf8').trim(),
  );
});
