import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareAnswerQueries, prepareChangeQueries } from './change-log.ts';
import { createOutbox, prepareOutboxQueries } from './outbox.ts';
import { createRecordWriter, prepareRecordQueries } from './records.ts';
import { migrate, SQLITE_FLAVOUR, type Tables } from './schema.ts';
import { openSqlite } from './sqlite-store.ts';

const BACKLOG = 2_000;
const NOW = 1_000;
const DESTINATIONS = ['d1', 'd2'];

let db: Kysely<Tables>;
let ran: CompiledQuery[];

beforeAll(async () => {
  ran = [];
  const dialect = new SqliteDialect({ database: openSqlite(':memory:', { readOnly: false }) });
  db = new Kysely<Tables>({
    dialect,
    log: ({ query }) => {
      ran.push(query);
    },
  });
  await migrate(db, SQLITE_FLAVOUR);
});

afterAll(() => db.destroy());

/** Returns the steps of the plans of all queries that work runs. */
async function plansOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  ran = [];
  await work();
  const queries = [...ran];
  const steps: string[] = [];
  for (const { sql: text, parameters } of queries) {
    const plan = { ...sql`select 1`.compile(db), sql: `explain query plan ${text}`, parameters };
    const { rows } = await db.executeQuery<{ detail: string }>(plan);
    steps.push(...rows.map(row => row.detail));
  }
  return steps;
}

/** Fails if rows are read in any other way than through an index. */
function expectSearches(steps: readonly string[]): void {
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter(step => /SCAN (?:deliveries|records|refs)|TEMP B-TREE FOR ORDER/.test(step))).toEqual([]);
}

describe('with a backlog of events', () => {
  beforeAll(async () => {
    const queries = prepareRecordQueries(db, { rowLocks: false });
    const outbox = prepareOutboxQueries(db, { rowLocks: false });
    const writer = createRecordWriter({
      db,
      queries,
      outbox,
      answers: prepareAnswerQueries(db),
      changes: prepareChangeQueries(db),
      now: () => NOW,
    });
    const record = { kind: 'thing', parentId: null, body: '{}', createdAt: '', refs: [], claims: [] };
    for (const id of DESTINATIONS) await writer.insert({ ...record, id });
    await writer.insert({ ...record, id: 's', refs: DESTINATIONS });
    await writer.setSources('s', ['updated']);
    for (let count = 0; count < BACKLOG; count += 1) {
      await writer.publish({ id: `e${count}`, type: 'updated', resourceId: `r${count % 7}`, body: () => '{}' });
    }
    await sql`analyze`.execute(db);
  });

  const session = () => {
    const queries = prepareOutboxQueries(db, { rowLocks: false });
    return createOutbox({ queries, reading: db, write: work => work(db) });
  };

  it('a write finds the earlier event of its resource through an index', async () => {
    const queries = prepareRecordQueries(db, { rowLocks: false });
    const outbox = prepareOutboxQueries(db, { rowLocks: false });
    const writer = createRecordWriter({
      db,
      queries,
      outbox,
      answers: prepareAnswerQueries(db),
      changes: prepareChangeQueries(db),
      now: () => NOW,
    });
    const event = { id: 'e', type: 'updated', resourceId: 'r1', body: () => '{}' };
    expectSearches(await plansOf(() => writer.publish(event)));
  });

  it('a round of the dispatcher reads through indexes, one step per destination', async () => {
    const outbox = session();
    expectSearches(
      await plansOf(async () => {
        const ready = await outbox.ready();
        expect(ready.map(one => one.destinationId)).toEqual(DESTINATIONS);
        const leased = await outbox.lease({ destinationId: 'd1', now: NOW, until: NOW + 1, limit: 3 });
        expect(leased.map(one => one.eventId)).toEqual(['e0', 'e1', 'e2']);
        expect((await outbox.delivered(leased[0]!.seq, NOW))?.eventId).toBe('e7');
        await outbox.failed({ seq: leased[1]!.seq, error: 'gone', now: NOW, retryAt: undefined });
        await outbox.failed({ seq: leased[2]!.seq, error: 'busy', now: NOW, retryAt: NOW + 5 });
      }),
    );
  });

  it('dead letters are listed through an index', async () => {
    expectSearches((await plansOf(() => session().deadLetters(10))).filter(step => !step.includes('TEMP B-TREE')));
  });
});
