import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { installedCommand } from '../support/installed-command.ts';
import { outputOf } from '../support/output-of.ts';

// `tollgate simulate` as `docs/guide/enforcing.md` prints it, but for the port.

const COMMAND = await installedCommand();
const GUIDE = readFileSync(join(ROOT, 'docs/guide/enforcing.md'), 'utf8');
const POLICY = /```yaml\n(.*?)```/s.exec(GUIDE)![1]!;

const directory = mkdtempSync(join(tmpdir(), 'tollgate-simulate-'));
mkdirSync(join(directory, '.git'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const write = (name: string, content: string) => writeFileSync(join(directory, name), content);

/** Starts the command on a free port. */
async function started(...options: readonly string[]) {
  const args = [COMMAND, 'simulate', '--listen', '0', ...options, 'policy.yaml'];
  const child = spawn(process.execPath, args, { cwd: directory });
  const ended = once(child, 'exit');
  const sees = outputOf(child);
  const url = /http:\S+\d/.exec(await sees('press Ctrl-C'))![0];
  const stop = async () => {
    child.kill('SIGINT');
    return (await ended)[0];
  };
  return { url, sees, stop };
}

it('answers as the policy decides, explains each decision, and reads the policy again', async () => {
  write('policy.yaml', POLICY);
  const { url, sees, stop } = await started('--client-header', 'X-Client-Ip');
  expect((await fetch(`${url}/admin/`)).status).toBe(403);
  const told = await sees('ends evaluation');
  expect(told).toMatch(/^\d\d:\d\d:\d\d GET \/admin\/ from 127\.0\.0\.1: denied with 403\n/);
  expect(told).toContain('✓ on_http_request 1  keep the back office closed  matched  line 2\n');
  const passed = await fetch(`${url}/admin/`, { headers: { 'X-Client-Ip': '203.0.113.9' } });
  expect([passed.status, await passed.text()]).toEqual([
    200,
    expect.stringContaining('would receive:\n\nGET /admin/\n'),
  ]);
  await sees('from 203.0.113.9: passed');
  // As editors save: another file takes its place, again and again.
  for (const status of [404, 410, 418]) {
    write('policy.yaml~', POLICY.replace('403', String(status)));
    renameSync(join(directory, 'policy.yaml~'), join(directory, 'policy.yaml'));
    await sees('read again');
    expect((await fetch(`${url}/admin/`)).status).toBe(status);
  }
  write('policy.yaml', POLICY.replace('deny', 'dney'));
  expect(await sees('the previous policy stays in use')).toContain('unknown action `dney`');
  write(
    'policy.yaml',
    POLICY.replace('type: deny', 'type: oauth').replace('config: { status_code: 403 }', 'config: { provider: github }'),
  );
  expect(await sees('the previous policy stays in use')).toContain(
    'error[enforce/unsupported]: `oauth` is not carried out by a server on Node\n',
  );
  rmSync(join(directory, 'policy.yaml'));
  expect(await sees('the previous policy stays in use')).toContain('no such file');
  expect((await fetch(`${url}/admin/`)).status).toBe(418);
  expect(await stop()).toBe(0);
});

it('counts on when the policy is written as it was, or something else next to it', async () => {
  const limit = {
    name: 'all',
    algorithm: 'sliding_window',
    capacity: 1,
    rate: '3600s',
    bucket_key: ['conn.client_ip'],
  };
  const policy = JSON.stringify({ on_http_request: [{ actions: [{ type: 'rate-limit', config: limit }] }] });
  write('policy.yaml', policy);
  const { url, sees, stop } = await started('--quiet');
  const status = async () => (await fetch(url)).status;
  expect([await status(), await status()]).toEqual([200, 429]);
  write('notes.txt', 'something else');
  write('policy.yaml', policy.replace('rate-limit', 'rate-limits'));
  await sees('the previous policy stays in use');
  write('policy.yaml', policy);
  await sees('read again; it is the policy in use');
  expect(await status()).toBe(429);
  write('policy.yaml', policy.replace('3600s', '60s'));
  await sees('read again; limits count from zero');
  expect(await status()).toBe(200);
  expect(await stop()).toBe(0);
});

it('knows the secrets of a file, and shows none of them', async () => {
  const long = 'k'.repeat(300);
  write('secrets.yaml', `hooks: { key: 'open "sesame"', long: ${long} }\n`);
  write(
    'policy.yaml',
    `on_http_request:
  - expressions: ["req.headers['x-key'][0] != secrets.get('hooks', 'key')"]
    actions: [{ type: deny }]
  - expressions: ["secrets.get('hooks', 'long') != ''"]
    actions: [{ type: add-headers, config: { headers: { x-long: "<\${secrets.get('hooks', 'long')}>" } } }]
`,
  );
  const { url, sees, stop } = await started('--secrets', 'secrets.yaml');
  expect((await fetch(`${url}/`, { headers: { 'x-key': 'other' } })).status).toBe(403);
  expect(await sees('ends evaluation')).toContain("'***'");
  const open = await fetch(`${url}/`, { headers: { 'x-key': 'open "sesame"' } });
  const told = await sees('request.headers["x-long"]');
  expect([open.status, await open.text()]).toEqual([200, expect.stringContaining(`x-long: <${long}>`)]);
  expect([/\*\*\*/.test(told), /sesame|kkkkkk/.test(told)]).toEqual([true, false]);
  // Other secrets count when the policy is read again.
  write('secrets.yaml', 'hooks: [a]\n');
  write('policy.yaml', POLICY);
  expect(await sees('stays in use')).toContain('expected `secrets.yaml` to contain vaults with secrets by name');
  expect(await stop()).toBe(0);
});

it.skipIf(process.platform !== 'linux')('decides on when its log cannot be written any more, and says so', async () => {
  write('policy.yaml', POLICY);
  const { url, sees, stop } = await started('--log', '/dev/full');
  expect((await fetch(`${url}/admin/`)).status).toBe(403);
  expect(await sees('no longer logged')).toContain('tollgate: cannot write `/dev/full`: no space left on the device');
  for (let count = 0; count < 3; count++) expect((await fetch(`${url}/admin/`)).status).toBe(403);
  expect(await stop()).toBe(0);
});

describe('in front of an application', async () => {
  const requests: string[] = [];
  const application = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-by']}`);
    request
      .on('data', () => {})
      .on('end', () => {
        response.writeHead(201, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Powered-By', 'app']);
        response.end('made');
      });
  });
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const upstream = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  afterAll(() => void application.close());
  const policy = `${POLICY}  - actions: [{ type: add-headers, config: { headers: { x-by: tollgate } } }]
on_http_response:
  - actions: [{ type: remove-headers, config: { headers: [x-powered-by] } }]
`;

  it('passes requests and responses on as the policy changes them', async () => {
    write('policy.yaml', policy);
    const { url, sees, stop } = await started('--quiet', '--upstream', upstream);
    const response = await fetch(`${url}/books?x=%2F`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect([response.status, await response.text()]).toEqual([201, 'made']);
    expect([response.headers.getSetCookie(), response.headers.get('x-powered-by')]).toEqual([['a=1', 'b=2'], null]);
    expect(requests.splice(0)).toEqual(['POST /books?x=%2F tollgate']);
    expect(await sees('passed\n')).toMatch(/^\S+ POST \/books\?x=%2F from 127\.0\.0\.1: passed\n$/);
    expect(await stop()).toBe(0);
  });

  it('changes nothing in shadow mode, and keeps a log that replays to the same', async () => {
    write('policy.yaml', policy);
    const { url, sees, stop } = await started('--shadow', '--upstream', upstream, '--log', 'decisions.jsonl');
    const responses = [await fetch(`${url}/admin/`), await fetch(`${url}/books`)];
    expect(responses.map(({ status, headers }) => [status, headers.get('x-powered-by')])).toEqual([
      [201, 'app'],
      [201, 'app'],
    ]);
    expect(requests.splice(0)).toEqual(['GET /admin/ undefined', 'GET /books undefined']);
    await sees('GET /admin/ from 127.0.0.1: would be denied with 403');
    expect(await stop()).toBe(0);
    const replayed = execFileSync(
      process.execPath,
      [COMMAND, 'replay', 'policy.yaml', 'decisions.jsonl', '-f', 'json'],
      { cwd: directory },
    );
    const { outcomes } = JSON.parse(replayed.toString()).policies?.[0] ?? JSON.parse(replayed.toString());
    expect(outcomes).toMatchObject([{ outcome: { kind: 'passed' } }, { outcome: { kind: 'denied', status: 403 } }]);
  });

  it('says that the upstream does not answer', async () => {
    write('policy.yaml', policy);
    const { url, stop } = await started('--upstream', 'http://127.0.0.1:9');
    const response = await fetch(`${url}/`);
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('ECONNREFUSED')]);
    expect(await stop()).toBe(0);
  });
});

it.each([
  [['--listen', 'here'], 2, '`--listen` expects a port, or address and port such as `127.0.0.1:8080`, found `here`'],
  [
    ['--upstream', 'http://127.0.0.1:1/path'],
    2,
    '`--upstream` expects scheme, host and port such as `http://127.0.0.1:3000`',
  ],
  [['--log', 'nothere/log.jsonl'], 3, 'cannot write `nothere/log.jsonl`: no such directory'],
])('%j is refused', (options, code, message) => {
  write('policy.yaml', POLICY);
  const run = () =>
    execFileSync(process.execPath, [COMMAND, 'simulate', ...options, 'policy.yaml'], { cwd: directory, stdio: 'pipe' });
  let failure: { status?: number; stderr?: Buffer } = {};
  try {
    run();
  } catch (error) {
    failure = error as typeof failure;
  }
  expect([failure.status, failure.stderr?.toString()]).toEqual([code, expect.stringContaining(message)]);
});

it('says that an address is in use', async () => {
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { port } = taken.address() as AddressInfo;
  write('policy.yaml', POLICY);
  const child = spawn(process.execPath, [COMMAND, 'simulate', '--listen', String(port), 'policy.yaml'], {
    cwd: directory,
  });
  const sees = outputOf(child);
  const [code] = await once(child, 'exit');
  expect([code, await sees('cannot listen')]).toEqual([
    3,
    expect.stringContaining(`cannot listen on 127.0.0.1:${port}: the port is in use`),
  ]);
  taken.close();
});
