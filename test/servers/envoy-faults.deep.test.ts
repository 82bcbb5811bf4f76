import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { envoyConfiguration } from '@tollgate/enforce/envoy';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';
import { outputOf } from '../support/output-of.ts';
import { envoyProgram, type RunningEnvoy, startEnvoy } from './envoy-server.ts';
import { freePort } from './log-servers.ts';

// Whatever happens to the service, no request reaches the application unchecked.

const program = envoyProgram();
const command = program === undefined ? '' : await installedCommand();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-envoy-faults-'));
mkdirSync(join(folder, '.git'));

const POLICY = `on_http_request:
  - expressions: ["req.url.path == '/admin'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
  - actions: [{ type: add-headers, config: { headers: { x-checked: 'yes' } } }]
on_http_response:
  - actions: [{ type: add-headers, config: { headers: { x-checked: 'yes' } } }]
`;
const file = join(folder, 'policy.yaml');

let unchecked = 0;
const asked: Pick<IncomingMessage, 'url' | 'rawHeaders'>[] = [];
const application = createHttpServer(({ url, rawHeaders, headers }, response) => {
  if (headers['x-checked'] !== 'yes') unchecked++;
  asked.push({ url, rawHeaders });
  setImmediate(() => response.end('from the application'));
});

let servicePort: number;
let envoy: RunningEnvoy;
let url: string;

async function startWith(mode: 'enforce' | 'shadow', name: string, wait?: string): Promise<RunningEnvoy> {
  const endpoint = MODERN.endpoints[0]!;
  const environments = createPhaseEnvironments(MODERN, endpoint);
  const { policy } = analyzePolicy(new SourceText('p.yaml', POLICY), { profile: MODERN, endpoint, environments });
  const service = { host: '127.0.0.1', port: servicePort };
  return startEnvoy(program!, {
    folder: join(folder, name),
    upstreamPort: (application.address() as AddressInfo).port,
    ...(wait !== undefined && { wait }),
    added: envoyConfiguration(policy!, { profile: MODERN, environments, service, mode }),
  });
}

beforeAll(async () => {
  if (program === undefined) return;
  await once(application.listen(0, '127.0.0.1'), 'listening');
  servicePort = await freePort();
  envoy = await startWith('enforce', 'enforcing');
  url = `http://127.0.0.1:${envoy.port}`;
});
afterAll(async () => {
  await envoy?.stop();
  application.close();
  rmSync(folder, { recursive: true, force: true });
});

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  unchecked = 0;
  asked.length = 0;
});

/** Starts the service as a command. */
async function service(...options: readonly string[]) {
  const args = [command, 'enforce', '--ext-proc', String(servicePort), ...options, 'policy.yaml'];
  const child = spawn(process.execPath, args, { cwd: folder });
  running.push(child);
  const sees = outputOf(child);
  await sees('press Ctrl-C');
  return { child, sees };
}

async function statusOf(path: string, base = url): Promise<number> {
  const response = await fetch(`${base}${path}`);
  await response.text();
  return response.status;
}

/** Sends requests one after another until it is told to stop; returns how often each status came. */
function load(): { readonly stop: () => Promise<ReadonlyMap<number, number>> } {
  let isOver = false;
  const counts = new Map<number, number>();
  const one = async () => {
    while (!isOver) {
      // 0 if there is no answer.
      const status = await statusOf(Math.random() < 0.5 ? '/admin' : '/books').catch(() => 0);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  const all = [one(), one(), one(), one()];
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
      return counts;
    },
  };
}

describe.skipIf(program === undefined)('Envoy with a policy', () => {
  it('answers with 500 while the service is gone, and with nothing else after it is back', async () => {
    writeFileSync(file, POLICY);
    expect(await statusOf('/books')).toBe(500);
    const { child } = await service();
    expect([await statusOf('/books'), await statusOf('/admin')]).toEqual([200, 403]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (let at = 0; at < 20; at++) expect(await statusOf('/books')).toBe(500);
    await service();
    for (let at = 0; at < 50; at++) expect([await statusOf('/books'), await statusOf('/admin')]).toEqual([200, 403]);
    expect(unchecked).toBe(0);
  });

  it('answers with 504 while the service hangs', async () => {
    writeFileSync(file, POLICY);
    const impatient = await startWith('enforce', 'impatient', '0.2s');
    const base = `http://127.0.0.1:${impatient.port}`;
    const { child } = await service();
    await eventually(async () => (await statusOf('/books', base)) === 200);
    child.kill('SIGSTOP');
    expect([await statusOf('/books', base), await statusOf('/admin', base)]).toEqual([504, 504]);
    child.kill('SIGCONT');
    await eventually(async () => (await statusOf('/books', base)) === 200);
    await impatient.stop();
    expect(unchecked).toBe(0);
  });

  it.each([
    ['garbage', () => createServer(socket => socket.on('error', () => {}).end('garbage'))],
    ['a reset', () => createServer(socket => socket.on('error', () => {}).resetAndDestroy())],
    [
      'a stream that is reset',
      () => createHttp2Server().on('stream', stream => stream.on('error', () => {}).destroy(new Error('reset'))),
    ],
  ])('answers with 500 to %s', async (_, create) => {
    const server = create();
    await once(server.listen(servicePort, '127.0.0.1'), 'listening');
    expect([await statusOf('/books'), await statusOf('/admin')]).toEqual([500, 500]);
    server.close();
    expect(unchecked).toBe(0);
  });

  it('loses no request when the policy is read again', async () => {
    writeFileSync(file, POLICY);
    const { sees } = await service();
    const requests = load();
    for (const status of [404, 410, 451]) {
      writeFileSync(`${file}~`, POLICY.replace('403', String(status)));
      renameSync(`${file}~`, file);
      await sees('read again');
      expect(await statusOf('/admin')).toBe(status);
    }
    writeFileSync(file, POLICY.replace('deny', 'dney'));
    await sees('the previous policy stays in use');
    expect(await statusOf('/admin')).toBe(451);
    const counts = await requests.stop();
    expect([...counts.keys()].filter(status => ![200, 403, 404, 410, 451].includes(status))).toEqual([]);
    expect(unchecked).toBe(0);
  });

  it('lets nothing pass unchecked while the service is started again under load', async () => {
    writeFileSync(file, POLICY);
    const requests = load();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { child } = await service();
      await eventually(async () => (await statusOf('/books')) === 200);
      child.kill(signal);
      const [code] = await once(child, 'exit');
      expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
    }
    await service();
    await eventually(async () => (await statusOf('/books')) === 200);
    await requests.stop();
    const after = load();
    for (let at = 0; at < 50; at++) expect(await statusOf('/books')).toBe(200);
    expect([...(await after.stop()).keys()].sort()).toEqual([200, 403]);
    expect(unchecked).toBe(0);
  });

  it('says in metrics what was decided, and that it lives', async () => {
    writeFileSync(file, POLICY);
    const metrics = await freePort();
    await service('--metrics', String(metrics));
    for (const path of ['/books', '/admin', '/admin']) await statusOf(path);
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).toContain('tollgate_decisions_total{mode="enforce",outcome="denied"} 2\n');
    expect(text).toContain('tollgate_decisions_total{mode="enforce",outcome="passed"} 1\n');
    expect(text).toContain('tollgate_rule_matches_total{rule="on_http_request 1"} 2\n');
    expect(await statusOf('/healthz', `http://127.0.0.1:${metrics}`)).toBe(200);
  });

  it('says that Envoy does not send what a new policy reads', async () => {
    writeFileSync(file, POLICY);
    const { sees } = await service();
    writeFileSync(file, POLICY.replace("req.url.path == '/admin'", "conn.client_ip == '127.0.0.1'"));
    await sees('the policy now reads source.address; print the configuration of Envoy again');
    await sees('read again');
    expect(await statusOf('/books')).toBe(500);
    await sees('a request was answered with 500, because its decision depends on');
    expect(unchecked).toBe(0);
  });

  it('changes no byte in shadow mode, also without the service', async () => {
    writeFileSync(file, POLICY);
    const shadow = await startWith('shadow', 'shadow');
    const plain = await startEnvoy(program!, {
      folder: join(folder, 'plain'),
      upstreamPort: (application.address() as AddressInfo).port,
    });
    const seenFrom = async ({ port }: RunningEnvoy) => {
      asked.length = 0;
      const responses = [];
      for (const path of ['/books', '/admin', '/a/../b?x=%2f']) {
        const { status, headers, text } = await rawAnswer(port, path);
        responses.push({ status, headers, text });
      }
      return { responses, asked: asked.splice(0) };
    };
    const expected = await seenFrom(plain);
    expect(await seenFrom(shadow)).toEqual(expected);
    const { child } = await service('--shadow', '--log', 'shadow.jsonl');
    expect(await seenFrom(shadow)).toEqual(expected);
    const log = () => readFileSync(join(folder, 'shadow.jsonl'), 'utf8').trim().split('\n');
    await eventually(() => log().length === 3);
    expect(log().map(line => JSON.parse(line).decision.outcome)).toEqual(['passed', 'denied', 'passed']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await seenFrom(shadow)).toEqual(expected);
    await Promise.all([shadow.stop(), plain.stop()]);
  });
});

async function rawAnswer(port: number, path: string) {
  const { request } = await import('node:http');
  const asking = request({ host: '127.0.0.1', port, path, headers: { Host: 'a.example' } });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  const headers = answer.rawHeaders.filter((_, at, all) => !/^date$/i.test(all[at - (at % 2)]!));
  return { status: answer.statusCode, headers, text };
}
