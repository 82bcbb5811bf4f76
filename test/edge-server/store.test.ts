import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NewRecord, openStore, type RecordWriter, type Store, StoreConflict } from '@tollgate/edge-server';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { postgresForTests } from '../support/postgres.ts';

const NOW = 1_700_000_000_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-store-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const postgres = await postgresForTests();
const url = await postgres?.newDatabase();

afterAll(() => postgres?.stop());

async function emptied(): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

const STORES: readonly (readonly [string, () => Promise<void>, () => Promise<Store>])[] = [
  ['SQLite', async () => undefined, () => openStore(join(folder, 'test.db'), () => NOW)],
  ['PostgreSQL', emptied, () => openStore(url ?? '', () => NOW)],
];

describe.each(STORES)('the store on %s', (name, prepare, open) => {
  const isHere = name === 'SQLite' || url !== undefined;
  let store: Store;

  beforeEach(async context => {
    if (!isHere) context.skip('PostgreSQL is not installed');
    await prepare();
    store = await open();
  });

  afterEach(async () => {
    if (isHere) await store.close();
  });

  async function conflictOf(work: (writer: RecordWriter) => Promise<unknown>): Promise<unknown> {
    const error = await store.write(work).catch((thrown: unknown) => thrown);
    return error instanceof StoreConflict ? error.conflict : error;
  }

  it('keeps what was committed when it is opened again', async () => {
    await store.write(writer => writer.insert(record('a1', { body: '{"x":"ü\\u0000"}' })));
    await store.close();
    store = await open();
    expect(await store.get('a1')).toEqual({
      id: 'a1',
      kind: 'thing',
      parentId: null,
      body: '{"x":"ü\\u0000"}',
      revision: 1,
      createdAt: '2024-01-01T00:00:00Z',
    });
  });

  it('keeps nothing of a write that failed', async () => {
    const failure = new Error('no');
    const result = store.write(async writer => {
      await writer.insert(record('a1'));
      throw failure;
    });
    await expect(result).rejects.toBe(failure);
    expect(await store.get('a1')).toBeUndefined();
  });

  it('shows a write only to itself before it is committed', async () => {
    await store.write(async writer => {
      await writer.insert(record('a1'));
      expect(await writer.revision('a1')).toBe(1);
      expect(await store.get('a1')).toBeUndefined();
    });
    expect(await store.revision('a1')).toBe(1);
  });

  it('counts the changes of a record and of what belongs to it', async () => {
    await store.write(writer => writer.insert(record('a1')));
    await store.write(writer => writer.insert(record('b1', { parentId: 'a1' })));
    await store.write(writer => writer.update({ id: 'b1', body: '{"y":1}' }));
    expect([await store.revision('a1'), await store.revision('b1')]).toEqual([3, 2]);
    await store.write(writer => writer.remove('b1'));
    expect([await store.revision('a1'), await store.revision('b1')]).toEqual([4, undefined]);
  });

  it('gives a family oldest member first, and families newest first', async () => {
    await store.write(async writer => {
      for (const id of ['a1', 'a2', 'A3']) await writer.insert(record(id));
      for (const id of ['c2', 'c1', 'C3']) await writer.insert(record(id, { parentId: 'a2', kind: 'part' }));
    });
    const family = await store.family('a2');
    expect([family?.record.id, family?.members.map(one => one.id)]).toEqual(['a2', ['C3', 'c1', 'c2']]);
    const families = await store.families('thing', { beforeId: 'a3', limit: 2 });
    expect(families.map(one => [one.record.id, ...one.members.map(member => member.id)])).toEqual([
      ['a2', 'C3', 'c1', 'c2'],
      ['a1'],
    ]);
    expect(await store.family('zz')).toBeUndefined();
  });

  it('pages newest first, also before a record that is gone', async () => {
    await store.write(async writer => {
      for (const id of ['a1', 'a2', 'a4', 'a5']) await writer.insert(record(id));
      await writer.insert(record('a3', { kind: 'other' }));
    });
    const ids = async (beforeId: string | undefined) =>
      (await store.page('thing', { beforeId, limit: 2 })).map(one => one.id);
    expect([await ids(undefined), await ids('a4'), await ids('a3'), await ids('a1')]).toEqual([
      ['a5', 'a4'],
      ['a2', 'a1'],
      ['a2', 'a1'],
      [],
    ]);
    expect([await store.count('thing'), await store.count('nothing')]).toEqual([4, 0]);
  });

  it('refuses references that lead nowhere, and to remove what is referred to', async () => {
    await store.write(writer => writer.insert(record('b1')));
    expect(await conflictOf(writer => writer.insert(record('a1', { refs: ['b1', 'b2'] })))).toEqual({
      kind: 'no-such-record',
      ids: ['b2'],
    });
    await store.write(writer => writer.insert(record('a1', { refs: ['b1', 'b1'] })));
    expect(await conflictOf(writer => writer.remove('b1'))).toEqual({ kind: 'still-referenced', id: 'b1', by: ['a1'] });
    await store.write(writer => writer.update({ id: 'a1', refs: [] }));
    await store.write(writer => writer.remove('b1'));
    expect(await store.kinds(['a1', 'b1'])).toEqual(new Map([['a1', 'thing']]));
  });

  it('lets go of references and claims with the record, and with the whole family', async () => {
    const claim = { scope: 'port', value: 'x:443' };
    await store.write(async writer => {
      await writer.insert(record('b1'));
      await writer.insert(record('a1'));
      await writer.insert(record('c1', { parentId: 'a1', refs: ['b1'], claims: [claim] }));
    });
    expect(await store.claimant(claim)).toBe('c1');
    await store.write(writer => writer.remove('a1'));
    expect([await store.claimant(claim), await store.referrers('b1'), await store.get('c1')]).toEqual([
      undefined,
      [],
      undefined,
    ]);
  });

  it('lets one record claim a value, until it gives it back', async () => {
    const claim = { scope: 'port', value: 'a, b' };
    await store.write(writer => writer.insert(record('a1', { claims: [claim] })));
    expect(await conflictOf(writer => writer.insert(record('a2', { claims: [claim] })))).toEqual({
      kind: 'claim-taken',
      claim,
      by: 'a1',
    });
    await store.write(writer => writer.update({ id: 'a1', claims: [] }));
    await store.write(writer => writer.insert(record('a2', { claims: [claim] })));
    expect(await store.claimant(claim)).toBe('a2');
  });

  it('says of concurrent claims of a value that one was taken', async () => {
    const claim = { scope: 'port', value: 'a, b' };
    const ids = ['a1', 'a2', 'a3', 'a4'];
    const results = await Promise.all(
      ids.map(id => conflictOf(writer => writer.insert(record(id, { claims: [claim] })))),
    );
    const conflicts = results.filter(result => result !== undefined);
    expect(conflicts).toHaveLength(3);
    for (const conflict of conflicts) expect(conflict).toMatchObject({ kind: 'claim-taken', claim });
  });

  it.skipIf(!inject('isDeep'))('waits for a busy record longer than for a database that is gone', async context => {
    if (name === 'SQLite') return context.skip('SQLite has one writer');
    await store.write(writer => writer.insert(record('a1')));
    const client = new pg.Client(url);
    await client.connect();
    const other = client.query("begin; select from records where id = 'a1' for update; select pg_sleep(7); commit");
    const change = () => store.write(async writer => void (await writer.lock('a1')));
    await Promise.all(Array.from({ length: 40 }, change));
    await other;
    await client.end();
  });

  it('loses no concurrent change of one record', async () => {
    await store.write(writer => writer.insert(record('a1', { body: '{"n":0}' })));
    const other = await open();
    const increment = async (through: Store) =>
      await through.write(async writer => {
        const { body } = (await writer.lock('a1'))!;
        await writer.update({ id: 'a1', body: JSON.stringify({ n: JSON.parse(body).n + 1 }) });
      });
    await Promise.all(Array.from({ length: 40 }, (_, index) => increment(index % 2 === 0 ? store : other)));
    await other.close();
    expect([(await store.get('a1'))?.body, await store.revision('a1')]).toEqual(['{"n":40}', 41]);
  });

  it('stamps what may have changed, by itself or by another process', async () => {
    const before = store.stamp();
    if (before === undefined) return;
    expect(store.stamp()).toBe(before);
    await store.write(writer => writer.insert(record('a1')));
    const after = store.stamp();
    expect(after).not.toBe(before);
    const other = await open();
    await other.write(writer => writer.insert(record('a2')));
    await other.close();
    await eventually(() => store.stamp() !== after);
  });

  describe('events', () => {
    beforeEach(async context => {
      if (!isHere) context.skip('PostgreSQL is not installed');
      await store.write(async writer => {
        for (const id of ['d1', 'd2']) await writer.insert(record(id, { kind: 'destination' }));
        await writer.insert(record('s1', { kind: 'subscription', refs: ['d1', 'd2'] }));
        await writer.insert(record('s2', { kind: 'subscription', refs: ['d2'] }));
        await writer.setSources('s1', ['thing_created.v0']);
        await writer.setSources('s2', ['thing_created.v0', 'thing_updated.v0']);
      });
    });

    const publish = async (id: string, type: string, resourceId: string) =>
      await store.write(writer => writer.publish({ id, type, resourceId, body: () => `{"id":"${id}"}` }));
    const taken = async (now: number) => {
      const leases = ['d1', 'd2'].map(destinationId =>
        store.outbox.lease({ destinationId, now, until: now + 1000, limit: 10 }),
      );
      return (await Promise.all(leases)).flat();
    };
    const lease = async (now: number) => (await taken(now)).map(one => `${one.eventId}>${one.destinationId}`);

    it('go to every destination that wants their type, once', async () => {
      await publish('e1', 'thing_created.v0', 'a1');
      await publish('e2', 'thing_updated.v0', 'a2');
      await publish('e3', 'thing_deleted.v0', 'a3');
      expect((await lease(NOW)).toSorted()).toEqual(['e1>d1', 'e1>d2', 'e2>d2']);
      expect(await lease(NOW)).toEqual([]);
    });

    it('are leased again when a lease has ended without a word', async () => {
      await publish('e1', 'thing_updated.v0', 'a1');
      expect([await lease(NOW), await lease(NOW + 999), await lease(NOW + 1000)]).toEqual([['e1>d2'], [], ['e1>d2']]);
    });

    it('are not made when nobody wants them', async () => {
      await store.write(writer =>
        writer.publish({
          id: 'e1',
          type: 'other_created.v0',
          resourceId: 'a1',
          body: () => {
            throw new Error('asked for');
          },
        }),
      );
      expect(await store.outbox.pending()).toBe(0);
    });

    it('are lost with the change that they are about', async () => {
      const result = store.write(async writer => {
        await writer.publish({ id: 'e1', type: 'thing_created.v0', resourceId: 'a1', body: () => '{}' });
        throw new Error('no');
      });
      await expect(result).rejects.toThrow('no');
      expect(await store.outbox.pending()).toBe(0);
    });

    it('of one resource go to a destination one after the other, in order', async () => {
      for (const [id, resource] of [
        ['e1', 'a1'],
        ['e2', 'a1'],
        ['e3', 'a2'],
      ] as const) {
        await publish(id, 'thing_updated.v0', resource);
      }
      const first = await taken(NOW);
      expect(first.map(one => one.eventId)).toEqual(['e1', 'e3']);
      await store.outbox.failed({ seq: first[0]!.seq, error: 'busy', now: NOW, retryAt: NOW + 50 });
      expect(await store.outbox.delivered(first[1]!.seq, NOW)).toBeUndefined();
      expect(await lease(NOW + 49)).toEqual([]);
      expect(await store.outbox.ready()).toEqual([{ destinationId: 'd2', readyAt: NOW + 50 }]);
      const [again] = await taken(NOW + 50);
      expect([again?.eventId, again?.attempts]).toEqual(['e1', 1]);
      expect(await store.outbox.delivered(again!.seq, NOW + 99)).toMatchObject({ eventId: 'e2' });
      expect([await lease(NOW + 98), await lease(NOW + 99)]).toEqual([[], ['e2>d2']]);
    });

    it('that are given up become dead letters, and no longer hold up the next', async () => {
      await publish('e1', 'thing_updated.v0', 'a1');
      await publish('e2', 'thing_updated.v0', 'a1');
      const [first] = await taken(NOW);
      await store.outbox.failed({ seq: first!.seq, error: 'gone', now: NOW + 5, retryAt: undefined });
      expect(await lease(NOW + 5)).toEqual(['e2>d2']);
      expect(await store.outbox.deadLetters(10)).toEqual([
        { ...first, attempts: 1, deadAt: NOW + 5, lastError: 'gone' },
      ]);
      expect(await store.outbox.pending()).toBe(1);
      expect(await store.outbox.requeue(NOW + 6, first!.seq)).toBe(1);
      expect([await lease(NOW + 6), await store.outbox.deadLetters(10)]).toEqual([['e1>d2'], []]);
    });

    it('are ready at the earliest time of each destination', async () => {
      await publish('e1', 'thing_updated.v0', 'a1');
      await publish('e2', 'thing_created.v0', 'a2');
      expect(await store.outbox.ready()).toEqual(['d1', 'd2'].map(destinationId => ({ destinationId, readyAt: NOW })));
      await taken(NOW);
      expect((await store.outbox.ready()).map(({ readyAt }) => readyAt)).toEqual([NOW + 1000, NOW + 1000]);
    });

    it('never get stuck when one is confirmed while the next is published', async () => {
      for (let round = 0; round < 20; round += 1) {
        await publish(`first ${round}`, 'thing_updated.v0', 'a1');
        const [first] = await taken(NOW);
        const second = publish(`second ${round}`, 'thing_updated.v0', 'a1');
        const [promoted] = await Promise.all([store.outbox.delivered(first!.seq, NOW), second]);
        const [next] = promoted ? [promoted] : await taken(NOW);
        expect(next?.eventId).toBe(`second ${round}`);
        await store.outbox.delivered(next!.seq, NOW);
      }
      expect(await store.outbox.pending()).toBe(0);
    });

    it('that are dead are kept to a number', async () => {
      for (const id of ['e1', 'e2', 'e3']) await publish(id, 'thing_updated.v0', id);
      for (const { seq } of await taken(NOW)) {
        await store.outbox.failed({ seq, error: 'gone', now: NOW + seq, retryAt: undefined });
      }
      expect(await store.outbox.trim(1)).toBe(2);
      expect((await store.outbox.deadLetters(10)).map(one => one.eventId)).toEqual(['e3']);
    });
  });
});

describe('opening a store', () => {
  it('refuses a file that is no database, and a path that cannot be written', async () => {
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(folder, 'text.db'), 'no database at all, but long enough to be looked at '.repeat(100));
    await expect(openStore(join(folder, 'text.db'))).rejects.toMatchObject({ code: 'store/not-a-database' });
    await expect(openStore(join(folder, 'none', 'x.db'))).rejects.toMatchObject({ code: 'store/unavailable' });
  });

  it('says which database cannot be reached, without its password', async () => {
    await expect(openStore('postgres://me:hush@127.0.0.1:1/tollgate')).rejects.toMatchObject({
      code: 'store/unavailable',
      message: expect.stringMatching(/^cannot reach the database 127\.0\.0\.1:1\/tollgate: (?!.*hush)/),
    });
  });
});

function record(id: string, parts: Partial<NewRecord> = {}): NewRecord {
  const createdAt = '2024-01-01T00:00:00Z';
  return { id, kind: 'thing', parentId: null, body: '{}', createdAt, refs: [], claims: [], ...parts };
}
