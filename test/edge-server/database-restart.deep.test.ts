import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { postgresForTests } from '../support/postgres.ts';
import { runs } from '../support/runs.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

const ROUNDS = runs(4, 20, 'TOLLGATE_DATABASE_RESTARTS');
const CLIENTS = 8;

const postgres = await postgresForTests();
const url = await postgres?.newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-restart-'));

afterAll(() => {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function terminate(): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate'");
  await client.end();
}

const BREAKS = [
  ['connections that are terminated', terminate],
  ['restarts', postgres?.restart],
] as const;

/** One for all servers: they use one database. */
const secretKeyFile = join(folder, 'key');
writeFileSync(secretKeyFile, randomBytes(32).toString('base64'));

describe.each(BREAKS)('a server on PostgreSQL survives %s under load', (_, interrupt) => {
  let server: TestServer;

  beforeAll(async () => {
    if (url === undefined || interrupt === undefined) return;
    server = await startTestServer({ database: url, secretKeyFile, logLevel: 'silent' });
  });

  afterAll(() => server?.stop());

  it(`${ROUNDS} times`, async context => {
    if (interrupt === undefined) return context.skip('PostgreSQL is not installed, or is not ours to restart');
    const target = { format: 'json', target: { stdout: {} } };
    const destination = textOf(await server.call('POST', '/event_destinations', { body: target }), 'id');
    const sources = [{ type: 'ip_policy_created.v0' }];
    await server.call('POST', '/event_subscriptions', { body: { sources, destination_ids: [destination] } });
    const seen = new Set<string>();
    const running = { is: true };
    const create = async (description: string) => {
      const { status, headers } = await server.call('POST', '/ip_policies', { body: { description } });
      seen.add(`${status} ${headers.get('retry-after')}`);
      return status === 201;
    };
    const client = async () => {
      while (running.is) await create('load');
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let round = 0; round < ROUNDS; round++) {
      await interrupt();
      await eventually(() => create(`round ${round}`));
      await eventually(() => server.lines.some(line => line.includes(`"round ${round}"`)));
    }
    running.is = false;
    await Promise.all(clients);
    expect([...seen].toSorted()).toEqual(['201 null', '503 1']);
  });
});
