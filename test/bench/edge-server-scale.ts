// The Edge Configuration API's server, in its published form, where there is much: a million edges, a backlog of events, hostile policies.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createKey, openStore } from '@tollgate/edge-server';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import { type ServedProcess, serveProcess } from './served.ts';

const EDGES = 1_000_000;
const BACKLOG = 100_000;
const HOSTILE = 100;
const PAGES = 200;
const WRITES = 300;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
// Below the packages that the bundle leaves outside.
const bundle = fileURLToPath(new URL('../../node_modules/.cache/tollgate-bench-scale/', import.meta.url));
await bundleCommand(bundle);
mkdirSync(bundle, { recursive: true });
const launcher = join(bundle, 'launch.cjs');
const launch = "{ process, folder: 'bundle', load: async () => require('./main.cjs') }";
writeFileSync(launcher, `void require('./start.cjs').startCommand(${launch});\n`);

await manyEdges();
await backlog();
await hostilePolicies();
rmSync(folder, { recursive: true });

interface Served extends ServedProcess {
  readonly call: (method: string, path: string, body?: object | string) => Promise<Response>;
}

/** Creates a database, changes it, and starts a server on it. */
async function serve(name: string, fill: (database: DatabaseSync) => void): Promise<Served> {
  const path = join(folder, name);
  const store = await openStore(path);
  const { token } = await createKey(store, { description: 'bench', scopes: ['read', 'write'], expiresAt: undefined });
  await store.close();
  const database = new DatabaseSync(path);
  fill(database);
  database.close();
  const options = ['--rate-limit', '0', '--log-level', 'silent', '--private-destinations'];
  const server = await serveProcess([launcher, 'serve', '--port', '0', '--database', path, ...options], '/healthz');
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
  await pages('/edges/tcp');
  const [first, last] = [await pages('/edges/tcp'), await pages(`/edges/tcp?before_id=${deep}`)];
  console.log(
    `${EDGES} edges: start ${server.startWork} ms of processor time, ${Math.round(server.startUp)} ms in all (at most 2,000); ` +
      `a deep page takes ${(last / first).toFixed(2)} times the first (1); ${Math.round(server.memory())} MB (at most 300)`,
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
  const server = await serve('hostile.db', () => undefined);
  const edge = (await (await server.call('POST', '/edges/https', {})).json()) as { id: string };
  const route = (await (
    await server.call('POST', `/edges/https/${edge.id}/routes`, { match_type: 'path_prefix', match: '/' })
  ).json()) as { id: string };
  const path = `/edges/https/${edge.id}/routes/${route.id}/policy`;
  const rules = Array.from({ length: 500 }, (_, index) => ({
    expressions: [`undeclared${index} == 1`],
    actions: [{ type: 'deny' }],
  }));
  const probe = async (isDone: () => boolean): Promise<number> => {
    let longest = 0;
    do {
      const begin = performance.now();
      await (await server.call('GET', '/healthz')).text();
      longest = Math.max(longest, performance.now() - begin);
    } while (!isDone());
    return longest;
  };
  let left = 50;
  const alone = await probe(() => left-- <= 0);
  let answered = 0;
  const hostile = Array.from({ length: HOSTILE }, async () => {
    const response = await server.call('PUT', path, { inbound: rules });
    // On a busy machine, some are refused because others are checked.
    assert.ok(response.status === 400 || response.status === 503);
    await response.text();
    answered += 1;
  });
  const longest = await probe(() => answered === HOSTILE);
  await Promise.all(hostile);
  console.log(
    `GET /healthz takes at most ${longest.toFixed(0)} ms during ${HOSTILE} hostile policies (below 50), ${alone.toFixed(0)} ms alone`,
  );
  await server.stop();
}
