import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from './schema.ts';
import { createWriteQueue, openSqlite, type WriteQueue } from './sqlite-store.ts';

let folder: string;
let db: Kysely<Tables>;
let write: WriteQueue;
let commits: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-group-'));
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: openSqlite(join(folder, 'a.db'), { readOnly: false }) }),
  });
  await sql`create table meta (key text primary key, value text)`.execute(db);
  commits = 0;
  ({ write } = createWriteQueue(db, () => {
    commits += 1;
  }));
});

afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

async function keys(): Promise<readonly string[]> {
  return (await db.selectFrom('meta').select('key').orderBy('key').execute()).map(row => row.key);
}

function insert(key: string, then?: () => unknown) {
  return write(async connection => {
    await connection.insertInto('meta').values({ key, value: '' }).execute();
    await then?.();
    return key;
  });
}

describe('group commit', () => {
  it('commits jobs together and returns their results', async () => {
    expect(await Promise.all(['a', 'b', 'c'].map(key => insert(key)))).toEqual(['a', 'b', 'c']);
    expect([commits, await keys()]).toEqual([1, ['a', 'b', 'c']]);
  });

  it('rolls back only the jobs that fail', async () => {
    const failure = new Error('no');
    const results = await Promise.allSettled([
      insert('a'),
      insert('b', () => {
        throw failure;
      }),
      insert('a'),
      insert('c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: failure });
    expect([commits, await keys()]).toEqual([1, ['a', 'c']]);
  });

  it('rolls back a single job', async () => {
    await expect(
      insert('a', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect([commits, await keys()]).toEqual([0, []]);
  });

  it('fails all jobs if the commit fails', async () => {
    const breaking = write(async connection => {
      await sql`rollback`.execute(connection);
    });
    const results = await Promise.allSettled([insert('a'), breaking, insert('c')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect([commits, await keys()]).toEqual([0, []]);
    expect(await insert('d')).toBe('d');
  });

  it('limits the size of groups and keeps the order of jobs', async () => {
    const order: number[] = [];
    await Promise.all(Array.from({ length: 150 }, (_, index) => insert(`k${index}`, () => order.push(index))));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect([commits, order.length]).toEqual([3, 150]);
  });
});
