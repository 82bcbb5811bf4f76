import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configurationText, openStore, readConfiguration, restoreBackup, type Store } from '@tollgate/edge-server';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresForTests } from '../support/postgres.ts';

const postgres = await postgresForTests();
afterAll(() => postgres?.stop());

let folder: string;
const open: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-transfer-'));
});

afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(database: string): Promise<Store> {
  const store = await openStore(database);
  open.push(store);
  return store;
}

const sqlite = async () => join(folder, 'store.db');
const anotherSqlite = async () => join(folder, 'other.db');
const onPostgres = async () => (await postgres?.newDatabase()) ?? '';

/** A store with records of all sorts: children, references, claims, sources of a subscription. */
async function filled(database: string): Promise<Store> {
  const store = await opened(database);
  const made = {
    kind: 'thing',
    parentId: null,
    body: '{"a":"ü\\u0000"}',
    createdAt: '2024-01-01T00:00:00Z',
    refs: [],
    claims: [],
  };
  await store.write(async writer => {
    await writer.insert({ ...made, id: 'b1' });
    await writer.insert({ ...made, id: 'a2', refs: ['b1'], claims: [{ scope: 'host', value: 'x:443' }] });
    await writer.insert({ ...made, id: 'a1', parentId: 'b1' });
    await writer.insert({ ...made, id: 's1', refs: ['b1'] });
    await writer.setSources('s1', ['thing_created.v0', 'thing_updated.v0']);
    await writer.update({ id: 'a2', body: '{"a":2}' });
  });
  return store;
}

const PAIRS = [
  ['SQLite', 'SQLite', sqlite, anotherSqlite],
  ['SQLite', 'PostgreSQL', sqlite, onPostgres],
  ['PostgreSQL', 'SQLite', onPostgres, sqlite],
] as const;

describe.each(PAIRS)('a configuration of %s', (from, to, source, target) => {
  it(`is the same when it is exported and imported into ${to}`, async context => {
    if (postgres === undefined && [from, to].some(name => name === 'PostgreSQL'))
      return context.skip('PostgreSQL is not installed');
    const contents = await (await filled(await source())).contents();
    const text = [...configurationText(contents, '2026-01-01T00:00:00Z')].join('');
    const store = await opened(await target());
    await store.fill(readConfiguration(text, 'x.json'));
    expect(await store.contents()).toEqual(contents);
    expect(contents.map(({ id, refs, sources }) => [id, refs.length, sources.length])).toEqual([
      ['a1', 0, 0],
      ['a2', 1, 0],
      ['b1', 0, 0],
      ['s1', 1, 2],
    ]);
    await expect(store.fill(contents)).rejects.toMatchObject({ code: 'store/not-empty' });
  });
});

describe('an import', () => {
  const record = { id: 'a', kind: 'x', parent_id: null, revision: 1, created_at: '2024-01-01T00:00:00Z' };
  const rest = { refs: [], claims: [], sources: [], body: {} };
  const whole = (...records: readonly object[]) =>
    JSON.stringify({ format: 'tollgate-configuration', version: 1, exported_at: '', records });

  it.each([
    ['{', 'Expected property name'],
    ['{}', 'at `format`'],
    [whole({ ...record, ...rest, body: 'x' }), 'at `records.0.body`'],
    [whole({ ...record, ...rest, odd: 1 }), 'Unrecognized key: "odd" at `records.0`'],
    [whole({ ...record, ...rest, refs: ['b'] }), '`a` refers to `b`, which is missing'],
    [whole({ ...record, ...rest }, { ...record, ...rest }), '`a` occurs twice'],
    [whole().replace('"version":1', '"version":2'), 'expected format version 1, found 2'],
  ])('refuses %s', (text, reason) => {
    expect(() => readConfiguration(text, 'x.json')).toThrow(reason);
  });

  it('takes nothing when a record cannot be taken', async () => {
    const store = await opened(await sqlite());
    const contents = readConfiguration(whole({ ...record, ...rest }), 'x.json');
    await expect(store.fill([...contents, ...contents])).rejects.toThrow();
    expect(await store.contents()).toEqual([]);
  });
});

describe('a backup', () => {
  it('of an SQLite file that is in use is the same when it is restored', async () => {
    const store = await filled(await sqlite());
    const backup = join(folder, 'backup.db');
    await store.backup(backup);
    await store.write(writer => writer.remove('a2'));
    const restored = join(folder, 'restored.db');
    restoreBackup(backup, restored);
    expect((await (await opened(restored)).contents()).map(({ id }) => id)).toEqual(['a1', 'a2', 'b1', 's1']);
  });

  it('is not written over a file, nor restored over one', async () => {
    const database = await sqlite();
    const store = await filled(database);
    await expect(store.backup(database)).rejects.toMatchObject({ code: 'store/backup' });
    expect(() => restoreBackup(database, database)).toThrow('already exists; move it away first');
  });

  it('that is none is not restored', async () => {
    const path = join(folder, 'text.db');
    writeFileSync(path, 'no database');
    expect(() => restoreBackup(path, join(folder, 'new.db'))).toThrow('file is not a database');
    expect(existsSync(join(folder, 'new.db'))).toBe(false);
  });
});
