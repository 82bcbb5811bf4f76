import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore, type Store } from '@tollgate/edge-server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresForTests } from '../support/postgres.ts';

/** Databases as each schema version left them: `DATABASE-VERSION.sql`, with the same contents. */
const SCHEMAS = join(import.meta.dirname, 'schemas');
/** The clock of the databases. */
const NOW = 1_700_000_000_000;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
const postgres = await postgresForTests();

afterAll(() => {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** Creates a database with the statements, and returns its name for {@link openStore}. */
async function created(kind: string, statements: string): Promise<string> {
  if (kind === 'sqlite') {
    const path = join(mkdtempSync(join(folder, 'x')), 'test.db');
    const database = new DatabaseSync(path);
    database.exec(statements);
    database.close();
    return path;
  }
  const url = await postgres!.newDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statements);
  await client.end();
  return url;
}

describe.each(readdirSync(SCHEMAS))('the database of an earlier release %s', file => {
  const [kind = ''] = file.split('-');
  let store: Store;

  beforeAll(async () => {
    if (kind === 'postgres' && !postgres) return;
    store = await openStore(await created(kind, readFileSync(join(SCHEMAS, file), 'utf8')), () => NOW);
    return () => store.close();
  });

  it('keeps its records, and takes new ones', async context => {
    if (kind === 'postgres' && !postgres) context.skip('PostgreSQL is not installed');
    expect(
      (await store.contents()).map(({ id, revision, parentId, refs, claims, sources }) => ({
        id,
        revision,
        parentId,
        refs,
        claims,
        sources,
      })),
    ).toEqual([
      { id: 'ed_1', revision: 1, parentId: null, refs: [], claims: [], sources: [] },
      {
        id: 'edge_1',
        revision: 2,
        parentId: null,
        refs: [],
        claims: [{ scope: 'hostport', value: 'a.example:443' }],
        sources: [],
      },
      { id: 'es_1', revision: 1, parentId: null, refs: ['ed_1'], claims: [], sources: ['thing_updated.v0'] },
      { id: 'route_1', revision: 1, parentId: 'edge_1', refs: [], claims: [], sources: [] },
    ]);
    expect((await store.get('ed_1'))?.body).toBe('{"description":"ü"}');
    const record = { kind: 'thing', parentId: 'edge_1', body: '{}', createdAt: '', refs: [], claims: [] };
    await store.write(writer => writer.insert({ ...record, id: 'route_2' }));
    expect((await store.get('edge_1'))?.revision).toBe(3);
  });

  it('keeps the answers that may be asked for again, and its record of changes', async context => {
    if (kind === 'postgres' && !postgres) context.skip('PostgreSQL is not installed');
    const version = Number(/-(\d+)/.exec(file)![1]);
    const changes = await store.changes.page({ before: undefined, since: undefined, limit: 10 });
    expect([await store.latestAnswer(), changes.map(({ resourceId, keyId }) => [resourceId, keyId])]).toEqual([
      version < 3 ? undefined : NOW,
      version < 4 ? [] : [['edge_1', 'ak_1']],
    ]);
  });

  it('keeps its events in order, with their leases, retries and dead letters', async context => {
    if (kind === 'postgres' && !postgres) context.skip('PostgreSQL is not installed');
    const leased = async (now: number) => {
      const all = await store.outbox.lease({ destinationId: 'ed_1', now, until: now + 600_000, limit: 10 });
      return all.map(({ eventId, attempts }) => `${eventId} ${attempts}`);
    };
    expect((await store.outbox.deadLetters(10)).map(one => [one.eventId, one.lastError])).toEqual([['ev_1', 'gone']]);
    // The second of `a`, the retry of the first of `b`, and the first of `c` when its lease ends; the others wait.
    expect([await leased(NOW), await leased(NOW + 1000), await leased(NOW + 60_000)]).toEqual([
      ['ev_2 0'],
      ['ev_3 1'],
      ['ev_5 0'],
    ]);
    expect(await store.outbox.pending()).toBe(5);
    expect(await store.outbox.delivered(5, NOW)).toMatchObject({ eventId: 'ev_6' });
  });
});

it.for(['sqlite', 'postgres'])('a database of a newer release is refused in one line on %s', async (kind, context) => {
  const [file] = readdirSync(SCHEMAS).filter(name => name.startsWith(kind));
  const statements = readFileSync(join(SCHEMAS, file!), 'utf8').replace(/'schema', '\d+'/, "'schema', '99'");
  if (kind === 'postgres' && !postgres) context.skip('PostgreSQL is not installed');
  await expect(openStore(await created(kind, statements))).rejects.toMatchObject({
    code: 'store/newer-version',
    message: expect.stringMatching(
      /^the database was created by a newer version of Tollgate: found schema 99, expected at most \d+; upgrade Tollgate$/,
    ),
  });
});
