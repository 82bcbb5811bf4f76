import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, openStore } from '@tollgate/edge-server';
import { afterAll, describe, expect, it } from 'vitest';
import { installedCommand } from '../../support/installed-command.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { postgresForTests } from '../../support/postgres.ts';
import { runs } from '../../support/runs.ts';
import { edgeAt, incrementRepeatedly, newEdge, PARTS, replaceRepeatedly } from './contention.ts';
import { Ledger } from './ledger.ts';
import { type Api, load } from './load.ts';
import { readAll } from './read-all.ts';
import { type ServerProcess, type ServerStart, startServerProcess } from './server-process.ts';

/** Number of kills for each store. */
const KILLS = runs(10, 200, 'TOLLGATE_DURABILITY_KILLS');
/** The server is killed after a random number of acknowledged writes below this one, while others are in progress. */
const MOST_WRITES = 100;
const PROCESSES = 3;
const INCREMENTS = runs(10, 20, 'TOLLGATE_DURABILITY_INCREMENTS');

const postgres = await postgresForTests();
const home = memoryFolder('tollgate-durability-');
const command = await installedCommand();

afterAll(() => {
  postgres?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function tokenFor(database: string): Promise<string> {
  const store = await openStore(database);
  const { token } = await createKey(store, { description: 'load', scopes: ['read', 'write'], expiresAt: undefined });
  await store.close();
  return token;
}

const DATABASES: readonly (readonly [string, () => Promise<string | undefined>])[] = [
  // A database keeps to its key, and each test has its own.
  ['SQLite', async () => join(home, `${randomBytes(8).toString('hex')}.db`)],
  ['PostgreSQL', async () => postgres?.newDatabase()],
];

describe.each(DATABASES)('a server on %s', (_, newDatabase) => {
  it('has every acknowledged write, and no half of one, however often it is killed', async context => {
    const database = await newDatabase();
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const secretKey = randomBytes(32).toString('base64');
    const start: ServerStart = { command, database, secretKey, eventsFolder: home };
    const token = await tokenFor(database);
    const ledger = new Ledger();
    let acknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await startServerProcess(start);
      acknowledged += await round(server, { url: server.url, token }, ledger);
    }
    const server = await startServerProcess(start);
    expect(ledger.settle(await readAll({ url: server.url, token }))).toEqual([]);
    await server.stop();
    expect(acknowledged).toBeGreaterThan(0);
    console.log(`${KILLS} kills, ${acknowledged} acknowledged writes to ${ledger.size} edges`);
  });

  it('loses nothing if several processes change one edge at the same time', async context => {
    const database = await newDatabase();
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const start = { command, database, secretKey: randomBytes(32).toString('base64'), eventsFolder: home };
    const token = await tokenFor(database);
    const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServerProcess(start)));
    const apis = servers.map(({ url }) => ({ url, token }));
    const id = await newEdge(apis[0]!);
    const increments = apis.map(api => incrementRepeatedly(api, `/edges/https/${id}`, INCREMENTS));
    const modules = apis.map((api, index) => replaceRepeatedly(api, `/edges/https/${id}`, index, INCREMENTS));
    await Promise.all(increments);
    const last = await Promise.all(modules);
    const edge = await edgeAt(apis.at(-1)!, `/edges/https/${id}`);
    expect([edge.metadata, ...PARTS.map(({ read }) => read(edge))]).toEqual([`${PROCESSES * INCREMENTS}`, ...last]);
    await Promise.all(servers.map(server => server.stop()));
  });
});

/** Checks what the last server left behind, then creates load until this one is killed. */
async function round(server: ServerProcess, api: Api, ledger: Ledger): Promise<number> {
  expect(ledger.settle(await readAll(api))).toEqual([]);
  const wanted = Math.floor(Math.random() * MOST_WRITES);
  const enough = Promise.withResolvers<void>();
  let acknowledged = 0;
  const changes = load(api, ledger, () => {
    acknowledged += 1;
    if (acknowledged >= wanted) enough.resolve();
  });
  if (wanted > 0) await Promise.race([enough.promise, changes]);
  await server.kill();
  await changes;
  return acknowledged;
}
