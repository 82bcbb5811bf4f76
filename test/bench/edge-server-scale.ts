// The Edge Configuration API's server, in its published form, where there is much: a million edges, a backlog of events, hostile policies.
//   edge-server-scale.ts [edges] [backlog] [policies]

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createKey, openStore } from '@tollgate/edge-server';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import { type ServedProcess, serveProcess } from './served.ts';

const EDGES = 1_000_000;
const BACKLOG = 100_000;
const HOSTILE = 100;
const PAGES = 200;
const ROUNDS = 5;
const WRITES = 300;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
// Below the packages that the bundle leaves outside.
const bundle = fileURLToPath(new URL('../../node_modules/.cache/tollgate-bench-scale/', import.meta.url));
await bundleCommand(bundle);
mkdirSync(bundle, { recursive: true });
const launcher = join(bundle, 'launch.cjs');
writeFileSync(launcher, `void require('./start.cjs').startBundle({ process, directory: __dirname, require });\n`);

const parts = { edges: manyEdges, backlog, policies: hostilePolicies };
const chosen = process.argv.slice(2);
for (const [name, run] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await run();
rmSync(folder, { recursive: true });

interface Served extends ServedProcess {
  readonly call: (method: string, path: string, body?: object | string) => Promise<Response>;
}

/** Creates a database, changes it, and starts a server on it. */
async function serve(name: string, fill: (database: DatabaseSync) => void, turns?: string): Promise<Served> {
  const path = join(folder, name);
  const store = await openStore(path);
  const { token } = await createKey(store, { description: 'bench', scopes: ['read', 'write'], expiresAt: undefined });
  await store.close();
  const database = new DatabaseSync(path);
  fill(database);
  database.close();
  const options = ['--rate-limit', '0', '--log-level', 'silent', '--private-destinations'];
  const preloaded = turns === undefined ? [] : ['--import', new URL('loop-turns.ts', import.meta.url).href];
  const args = [...preloaded, launcher, 'serve', '--port', '0', '--database', path, ...options];
  const server = await serveProcess(args, '/healthz', turns === undefined ? {} : { TOLLGATE_BENCH_TURNS: turns });
  const headers = { authorization: `Bearer ${token}`, 'service-version': '2', 'content-type': 'application/json' };
  const call: Served['call'] = async (method, to, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return await fetch(`${server.url}${to}`, { method, headers, ...(text !== undefined && { body: text }) });
  };
  return { ...server, call };
}

function addEdges(database: DatabaseSync, count: number): void {
  database.exec(`
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})
    insert into records (id, kind, parent_id, body, revision, created_at)
    select printf('edgtcp_%027d', i), 'tcp_edge', null,
      '{"description":"edge ' || i || '","metadata":"","hostports":[],"policy":null}', 1, '2026-01-01T00:00:00Z' from n`);
}

async function manyEdges(): Promise<void> {
  const server = await serve('edges.db', database => addEdges(database, EDGES));
  const deep = `edgtcp_${String(1000).padStart(27, '0')}`;
  const pages = async (path: string) => {
    const before = server.processorTime();
    for (let count = 0; count < PAGES; count += 1) {
      const page = (await (await server.call('GET', path)).json()) as { readonly tcp_edges: readonly unknown[] };
      assert.equal(page.tcp_edges.length, 100);
    }
    return server.processorTime() - before;
  };
  const deepPage = `/edges/tcp?before_id=${deep}`;
  for (const path of ['/edges/tcp', deepPage]) await pages(path);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // By turns: what is measured second finds warmer code.
    const [one, other] = round % 2 === 0 ? ['/edges/tcp', deepPage] : [deepPage, '/edges/tcp'];
    const [a, b] = [await pages(one), await pages(other)];
    ratios.push(round % 2 === 0 ? b / a : a / b);
  }
  const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
  console.log(
    `${EDGES} edges: start ${server.startWork} ms of processor time, ${Math.round(server.startUp)} ms in all (at most 2,000); ` +
      `a deep page takes ${ratio.toFixed(2)} times the first (1); ${Math.round(server.memory())} MB (at most 300)`,
  );
  await server.stop();
}

async function backlog(): Promise<void> {
  const costs: number[] = [];
  for (const count of [0, BACKLOG]) {
    const server = await serve(`backlog-${count}.db`, () => undefined);
    const target = { http: { url: 'http://127.0.0.1:9/' } };
    const destination = await (await server.call('POST', '/event_destinations', { format: 'json', target })).json();
    const { id } = destination as { id: string };
    const sources = [{ type: 'ip_policy_updated.v0' }];
    await server.call('POST', '/event_subscriptions', { sources, destination_ids: [id] });
    const policy = (await (await server.call('POST', '/ip_policies', {})).json()) as { id: string };
    const database = new DatabaseSync(join(folder, `backlog-${count}.db`), { timeout: 10_000 });
    database.exec(`
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into deliveries (event_id, event_type, resource_id, destination_id, body, attempts, ready_at)
      select 'ev_' || i, 'ip_policy_updated.v0', 'ipp_' || (i % 1000), '${id}', '{}', 0, case when i <= 1000 then 0 end
      from n where ${count} > 0`);
    const write = () => server.call('PATCH', `/ip_policies/${policy.id}`, { description: 'changed' });
    for (let round = 0; round < WRITES; round += 1) await write();
    const before = server.processorTime();
    for (let round = 0; round < WRITES; round += 1) assert.equal((await write()).status, 200);
    costs.push((server.processorTime() - before) / WRITES);
    const idle = server.processorTime();
    await new Promise(resolve => setTimeout(resolve, 5000));
    const share = (server.processorTime() - idle) / 50;
    console.log(`with ${count} undelivered events, the idle server uses ${share.toFixed(1)} % of a processor`);
    database.close();
    await server.stop();
  }
  const [none, many] = costs as [number, number];
  console.log(
    `a write takes ${many.toFixed(2)} ms of processor time with ${BACKLOG} undelivered events, ${none.toFixed(2)} ms with none: ` +
      `${(many / none).toFixed(2)} times (at most 1.5)`,
  );
}

async function hostilePolicies(): Promise<void> {
  const turns = join(folder, 'turns');
  const server = await serve('hostile.db', () => undefined, turns);
  const edge = (await (await server.call('POST', '/edges/https', {})).json()) as { id: string };
  const route = (await (
    await server.call('POST', `/edges/https/${edge.id}/routes`, { match_type: 'path_prefix', match: '/' })
  ).json()) as { id: string };
  const path = `/edges/https/${edge.id}/routes/${route.id}`;
  const policyOf = (count: number, expression: (index: number) => string) =>
    JSON.stringify({
      inbound: Array.from({ length: count }, (_, index) => ({
        expressions: [expression(index)],
        actions: [{ type: 'deny' }],
      })),
    });
  const undeclared = policyOf(500, index => `undeclared${index} == 1`);
  const valid = policyOf(9000, index => `'value ${index}' in req.Headers['X-Kind']`);
  const value = policyOf(3000, index => `req.URL == '/${index}'`);
  const put = (index: number) => {
    if (index % 10 === 8) return server.call('PUT', `${path}/policy`, valid);
    if (index % 10 === 9) return server.call('PUT', `${path}/traffic_policy`, { value });
    return server.call('PUT', `${path}/policy`, undeclared);
  };
  const alone = await probed(server.url, () => new Promise(resolve => setTimeout(resolve, 1000)));
  server.signal('SIGUSR2');
  const statuses = new Map<number, number>();
  const during = await probed(server.url, () =>
    Promise.all(
      Array.from({ length: HOSTILE }, async (_, index) => {
        const response = await put(index);
        await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }),
    ),
  );
  // On a busy machine, some are refused because others are checked.
  assert.deepEqual(
    [...statuses.keys()].filter(status => ![200, 400, 503].includes(status)),
    [],
  );
  await server.stop();
  console.log(
    `GET /healthz takes at most ${during.longest.toFixed(0)} ms (p99 ${during.p99.toFixed(0)} ms) during ${HOSTILE} hostile policies (below 50), ` +
      `${alone.longest.toFixed(0)} ms alone; the longest turn of the event loop takes ${readFileSync(turns, 'utf8')} ms of processor time (below 50); ` +
      `responses: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  );
}

/** Asks for the health of a server from another thread, which the clients of this one do not keep waiting. */
async function probed(url: string, work: () => Promise<unknown>): Promise<{ longest: number; p99: number }> {
  const probe = new Worker(new URL('probe-health.ts', import.meta.url), { workerData: { url } });
  await new Promise(resolve => probe.once('online', resolve));
  await work();
  const measured = new Promise<readonly number[]>(resolve => probe.once('message', resolve));
  probe.postMessage('enough');
  const times = (await measured).toSorted((a, b) => a - b);
  return { longest: times.at(-1)!, p99: times[Math.floor(times.length * 0.99)]! };
}
