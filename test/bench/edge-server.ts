// The Edge Configuration API's server, in its published form, over an SQLite file with 10,000 edges.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createKey, openStore } from '@tollgate/edge-server';
import autocannon from 'autocannon';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import { type ServedProcess, serveProcess } from './served.ts';

const EDGES = 10_000;
/** So many that even the fastest answers take a few of the whole milliseconds that autocannon counts in. */
const CONNECTIONS = 50;
const ROUNDS = 3;
const SECONDS = 4;
const STARTS = 5;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const database = join(folder, 'bench.db');
// Below the packages that the bundle leaves outside.
const bundle = fileURLToPath(new URL('../../node_modules/.cache/tollgate-bench/', import.meta.url));

const token = await seed();
const launcher = await published();
const server = await start();
const headers = { authorization: `Bearer ${token}`, 'service-version': '2', 'content-type': 'application/json' };
const edge = await create('/edges/https', { hostports: ['bench.example:443'] });
const routes: string[] = [];
for (let count = 0; count < 10; count += 1) {
  routes.push(
    await create(`/edges/https/${edge}/routes`, {
      match_type: 'path_prefix',
      match: `/part-${count}`,
      compression: {},
    }),
  );
}
const answer = await (await fetch(`${server.url}/edges/https/${edge}`, { headers })).text();
writeFileSync(join(folder, 'constant.json'), answer);
const bare = await serveProcess(
  [
    '--conditions=tollgate-source',
    fileURLToPath(new URL('bare-server.ts', import.meta.url)),
    join(folder, 'constant.json'),
  ],
  '/',
);
assert.equal(await (await fetch(bare.url)).text(), answer);

await reads();
await replacements();
await starts();
await bare.stop();
rmSync(folder, { recursive: true });

/** Fills the store as it is filled by requests, but for the requests. */
async function seed(): Promise<string> {
  const store = await openStore(database);
  const { token } = await createKey(store, { description: 'bench', scopes: ['read', 'write'], expiresAt: undefined });
  for (let done = 0; done < EDGES; done += 1000) {
    await store.write(async writer => {
      for (let count = done; count < done + 1000; count += 1) {
        const id = `edgtcp_${String(count).padStart(27, '0')}`;
        const body = JSON.stringify({ description: `edge ${count}`, metadata: '', hostports: [], policy: null });
        await writer.insert({
          id,
          kind: 'tcp_edge',
          parentId: null,
          body,
          createdAt: '2026-01-01T00:00:00Z',
          refs: [],
          claims: [],
        });
      }
    });
  }
  await store.close();
  return token;
}

/** Writes the command as it is published, and what starts it. */
async function published(): Promise<string> {
  await bundleCommand(bundle);
  mkdirSync(bundle, { recursive: true });
  const path = join(bundle, 'launch.cjs');
  writeFileSync(path, `void require('./start.cjs').startBundle({ process, directory: __dirname, require });\n`);
  return path;
}

async function start(): Promise<ServedProcess> {
  const limits = ['--rate-limit', '0', '--log-level', 'warn'];
  return await serveProcess([launcher, 'serve', '--port', '0', '--database', database, ...limits], '/readyz');
}

async function create(path: string, body: object): Promise<string> {
  const made = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return String(((await made.json()) as { id?: string }).id);
}

type Request = Pick<autocannon.Options, 'url' | 'method' | 'body'>;

async function load(request: Request): Promise<autocannon.Result> {
  const result = await autocannon({ ...request, headers, connections: CONNECTIONS, duration: SECONDS });
  assert.equal(result.non2xx + result.errors, 0);
  return result;
}

/** By turns, so that a busy machine hits both alike. The processor clock does not count the time that a process waits for others. */
async function reads(): Promise<void> {
  const ours = { url: `${server.url}/edges/https/${edge}` };
  await load(ours);
  await load({ url: bare.url });
  const ratios: number[] = [];
  const onProcessor: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [bareBefore, oursBefore] = [bare.processorTime(), server.processorTime()];
    const constant = await load({ url: bare.url });
    const read = await load(ours);
    const bareWork = (bare.processorTime() - bareBefore) / constant.requests.total;
    onProcessor.push(bareWork / ((server.processorTime() - oursBefore) / read.requests.total));
    ratios.push(read.requests.average / constant.requests.average);
    console.log(
      `reads of an edge with ten routes: ${rate(read)}; ${latencies(read)}; ` +
        `a constant of the same size: ${rate(constant)}; ${latencies(constant)}`,
    );
  }
  console.log(
    `reads: ${percent(median(onProcessor))} of the bare server on the processor clock (at least 60 %), ` +
      `${percent(median(ratios))} on the wall clock; ${Math.round(server.memory())} MB (below 200)`,
  );
}

async function replacements(): Promise<void> {
  const rule = { name: 'no writing', expressions: ["req.Method == 'POST' && req.URL.contains('/admin')"] };
  const policy = { inbound: [{ ...rule, actions: [{ type: 'deny', config: { status_code: 403 } }] }] };
  const url = `${server.url}/edges/https/${edge}/routes/${routes[0]}/policy`;
  const request = { url, method: 'PUT', body: JSON.stringify(policy) } as const;
  await load(request);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const commits = commitsPerSecond();
    const replaced = await load(request);
    ratios.push(replaced.requests.average / commits);
    console.log(
      `policy replacements: ${rate(replaced)}, one-row transactions: ${Math.round(commits)}/s; ${latencies(replaced)}`,
    );
  }
  console.log(`policy replacements: ${percent(median(ratios))} of one-row transactions (at least 50 %)`);
}

/** One row a transaction, one after the other, in a file set up as the store is. */
function commitsPerSecond(): number {
  const path = join(folder, 'rows.db');
  const rows = new DatabaseSync(path);
  rows.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table if not exists rows (id integer primary key, text)',
  );
  const insert = rows.prepare('insert into rows (text) values (?)');
  const begin = performance.now();
  let count = 0;
  for (; performance.now() - begin < SECONDS * 500; count += 1) insert.run('a policy of some length');
  const seconds = (performance.now() - begin) / 1000;
  rows.close();
  return count / seconds;
}

async function starts(): Promise<void> {
  await server.stop();
  const times: number[] = [];
  const memory: number[] = [];
  const work: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const again = await start();
    times.push(again.startUp);
    memory.push(again.memory());
    work.push(again.startWork);
    await again.stop();
  }
  console.log(
    `start-up with ${EDGES} edges: ${times.map(time => Math.round(time)).join(', ')} ms (below 300), of them ` +
      `${work.join(', ')} ms of processor time; ` +
      `${Math.round(Math.max(...memory))} MB then (below 200)`,
  );
}

function rate({ requests }: autocannon.Result): string {
  return `${Math.round(requests.average)}/s`;
}

function latencies({ latency }: autocannon.Result): string {
  return `p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${(latency.p99 / latency.p50).toFixed(1)} times (at most 5)`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
