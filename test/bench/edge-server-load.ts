// The Edge Configuration API's server, in its published form, under load for long: two processes on a database, and memory over time.
//   edge-server-load.ts [processes] [memory] [MINUTES]

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKey, openStore } from '@tollgate/edge-server';
import autocannon from 'autocannon';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import { startTemporaryPostgres } from '../../scripts/postgres/temporary-postgres.ts';
import { processorTime, type ServedProcess, serveProcess } from './served.ts';

const words = process.argv.slice(2);
const MINUTES = Number(words.find(word => /^\d+$/.test(word)) ?? 5);
const SECONDS = 5;
const ROUNDS = 3;
/** For each process. */
const CONNECTIONS = 24;
/** Requests per second while memory is watched: not as many as possible, because other work shares the machine. */
const RATE = 200;
const SAMPLES_PER_MINUTE = 6;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
// Below the packages that the bundle leaves outside.
const bundle = fileURLToPath(new URL('../../node_modules/.cache/tollgate-bench-load/', import.meta.url));
await bundleCommand(bundle);
mkdirSync(bundle, { recursive: true });
const launcher = join(bundle, 'launch.cjs');
writeFileSync(launcher, `void require('./start.cjs').startBundle({ process, directory: __dirname, require });\n`);
const secretKeyFile = join(folder, 'secrets.key');
writeFileSync(secretKeyFile, randomBytes(32).toString('base64'));

const parts = { processes: twoProcesses, memory: memoryOverTime };
const isAll = !words.some(word => word in parts);
for (const [name, run] of Object.entries(parts)) if (isAll || words.includes(name)) await run();
rmSync(folder, { recursive: true });

async function start(database: string): Promise<ServedProcess> {
  const options = ['--rate-limit', '0', '--log-level', 'warn', '--secret-key-file', secretKeyFile];
  return await serveProcess([launcher, 'serve', '--port', '0', '--database', database, ...options], '/readyz');
}

type Headers = Readonly<Record<string, string>>;

async function keyFor(database: string): Promise<Headers> {
  const store = await openStore(database);
  const { token } = await createKey(store, { description: 'bench', scopes: ['read', 'write'], expiresAt: undefined });
  await store.close();
  return { authorization: `Bearer ${token}`, 'service-version': '2', 'content-type': 'application/json' };
}

async function create(server: ServedProcess, headers: Headers, path: string, body: object): Promise<string> {
  const made = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(made.status, 201);
  return String(((await made.json()) as { id?: string }).id);
}

/** Sends nine reads and one change by turns to each server. */
async function load(servers: readonly ServedProcess[], headers: Headers, id: string): Promise<number> {
  const read = { method: 'GET', path: `/ip_policies/${id}` } as const;
  const results = await Promise.all(
    servers.map(async (server, index) => {
      const own = await create(server, headers, '/ip_policies', { description: `of ${index}` });
      const change = { method: 'PATCH', path: `/ip_policies/${own}`, body: '{"metadata":"changed"}' } as const;
      const requests = [...Array.from({ length: 9 }, () => read), change];
      return await autocannon({ url: server.url, headers, requests, connections: CONNECTIONS, duration: SECONDS });
    }),
  );
  for (const { non2xx, errors } of results) assert.equal(non2xx + errors, 0);
  return results.reduce((sum, { requests }) => sum + requests.total, 0);
}

/**
 * On a machine whose processors also run the database and the clients, two processes cannot answer twice as much. What tells whether they
 * disturb each other is how much each processor second of the servers answers: unchanged, two processors answer twice as much. How much more
 * this machine could answer follows from what each request costs the servers, the database and the clients.
 */
async function twoProcesses(): Promise<void> {
  const postgres = await startTemporaryPostgres();
  if (postgres === undefined) return console.log('PostgreSQL is not installed: two processes are not measured');
  const headers = await keyFor(postgres.url);
  const servers = [await start(postgres.url), await start(postgres.url)];
  const id = await create(servers[0]!, headers, '/ip_policies', {});
  const database = postgresProcesses(new URL(postgres.url).port);
  const work = () => [
    servers.reduce((sum, one) => sum + one.processorTime(), 0),
    database().reduce((sum, pid) => sum + processorTime(pid), 0),
    processorTime('self'),
  ];
  const measure = async (some: readonly ServedProcess[]) => {
    const before = work();
    const count = await load(some, headers, id);
    const cost = work().map((time, index) => (time - before[index]!) / count);
    return { perSecond: count / SECONDS, perProcessorSecond: 1000 / cost[0]!, cost };
  };
  await measure(servers);
  const [clock, processor, possible]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, two] = [await measure(servers.slice(1)), await measure(servers)];
    clock.push(two.perSecond / one.perSecond);
    processor.push((2 * two.perProcessorSecond) / one.perProcessorSecond);
    const whole = two.cost.reduce((sum, part) => sum + part, 0);
    // One process keeps one processor busy, two with what they need keep all.
    possible.push((availableParallelism() * two.cost[0]!) / whole);
    const [own, theirs, clients] = two.cost.map(part => `${Math.round(part * 1000)} µs`);
    console.log(
      `one process: ${Math.round(one.perSecond)}/s, two: ${Math.round(two.perSecond)}/s; a request costs the servers ${own}, ` +
        `PostgreSQL ${theirs} and the clients ${clients} of processor time`,
    );
  }
  console.log(
    `two processes on PostgreSQL: ${median(processor).toFixed(2)} times one on the processor clock (at least 1.6), ` +
      `${median(clock).toFixed(2)} times on the wall clock of this machine, whose ${availableParallelism()} processors allow ` +
      `at most ${median(possible).toFixed(2)} times`,
  );
  for (const server of servers) await server.stop();
  postgres.stop();
}

/** Returns a function that lists the processes of the PostgreSQL that listens on a port. */
function postgresProcesses(port: string): () => readonly number[] {
  const pids = () => readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const first = pids().find(
    pid =>
      readProcess(pid, 'cmdline').includes(`postgres\0-D`) && readProcess(pid, 'cmdline').includes(`-p\0${port}\0`),
  );
  const isChild = (pid: string) =>
    readProcess(pid, 'stat')
      .replace(/^.*\) /, '')
      .split(' ')[1] === first;
  return () =>
    pids()
      .filter(pid => pid === first || isChild(pid))
      .map(Number);
}

/** Empty for a process that has ended. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

async function memoryOverTime(): Promise<void> {
  const database = join(folder, 'memory.db');
  const headers = await keyFor(database);
  const server = await start(database);
  const edge = await create(server, headers, '/edges/https', { hostports: ['bench.example:443'] });
  const route = await create(server, headers, `/edges/https/${edge}/routes`, { match_type: 'path_prefix', match: '/' });
  const policy = { inbound: [{ expressions: ["req.Method == 'POST'"], actions: [{ type: 'deny' }] }] };
  const requests: autocannon.Request[] = [
    { method: 'GET', path: `/edges/https/${edge}` },
    { method: 'GET', path: '/ip_policies?limit=20' },
    { method: 'GET', path: `/ip_policies?filter=${encodeURIComponent("obj.description.contains('x')")}` },
    { method: 'PUT', path: `/edges/https/${edge}/routes/${route}/policy`, body: JSON.stringify(policy) },
    {
      method: 'PUT',
      path: `/edges/https/${edge}/routes/${route}/policy`,
      body: '{"inbound":[{"expressions":["x == 1"]}]}',
    },
    { method: 'POST', path: '/ip_policies', headers: { ...headers, 'idempotency-key': 'always the same' }, body: '{}' },
    { method: 'GET', path: '/no-such-path' },
  ];
  const done = autocannon({
    url: server.url,
    headers,
    requests,
    connections: 8,
    overallRate: RATE,
    duration: MINUTES * 60,
  });
  const minutes: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const samples: number[] = [];
    for (let count = 0; count < SAMPLES_PER_MINUTE; count += 1) {
      await pause(60_000 / SAMPLES_PER_MINUTE);
      samples.push(server.memory());
    }
    minutes.push(median(samples));
  }
  const { requests: sent, errors } = await done;
  assert.equal(errors, 0);
  const growth = minutes.at(-1)! / minutes[Math.min(1, minutes.length - 1)]! - 1;
  console.log(
    `memory over ${MINUTES} minutes of mixed load (${sent.total} requests): ${minutes.map(one => Math.round(one)).join(', ')} MB; ` +
      `from the second minute on it grows by ${Math.round(growth * 100)} % (at most 10 %)`,
  );
  await server.stop();
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
