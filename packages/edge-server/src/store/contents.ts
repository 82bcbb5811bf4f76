// All records of a database at once, and probes of the database.

import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';
import type { WholeRecord } from './store.ts';

/** The number of rows written by one statement. */
const BATCH = 200;

/** Returns a consistent snapshot of all records, oldest first, without pending events. */
export async function readContents(db: Kysely<Tables>): Promise<readonly WholeRecord[]> {
  const rows = await db.selectFrom('records').selectAll().orderBy('id').execute();
  const refs = Map.groupBy(await db.selectFrom('refs').selectAll().orderBy('to_id').execute(), row => row.from_id);
  const claims = Map.groupBy(
    await db.selectFrom('claims').selectAll().orderBy('scope').orderBy('value').execute(),
    row => row.record_id,
  );
  const sources = Map.groupBy(
    await db.selectFrom('event_sources').selectAll().orderBy('type').execute(),
    row => row.subscription_id,
  );
  return rows.map(({ id, kind, parent_id, body, revision, created_at }) => ({
    ...{ id, kind, parentId: parent_id, body, revision, createdAt: created_at },
    refs: (refs.get(id) ?? []).map(row => row.to_id),
    claims: (claims.get(id) ?? []).map(({ scope, value }) => ({ scope, value })),
    sources: (sources.get(id) ?? []).map(row => row.type),
  }));
}

/** Writes records to an empty database. */
export async function writeContents(db: Kysely<Tables>, contents: readonly WholeRecord[]): Promise<void> {
  const records = parentsFirst(contents).map(({ id, kind, parentId, body, revision, createdAt }) => ({
    ...{ id, kind, parent_id: parentId, body, revision, created_at: createdAt },
  }));
  const refs = contents.flatMap(({ id, refs: targets }) => targets.map(target => ({ from_id: id, to_id: target })));
  const claims = contents.flatMap(({ id, claims: some }) => some.map(claim => ({ ...claim, record_id: id })));
  const sources = contents.flatMap(one => one.sources.map(type => ({ type, subscription_id: one.id })));
  for (const batch of batches(records)) await db.insertInto('records').values(batch).execute();
  for (const batch of batches(refs)) await db.insertInto('refs').values(batch).execute();
  for (const batch of batches(claims)) await db.insertInto('claims').values(batch).execute();
  for (const batch of batches(sources)) await db.insertInto('event_sources').values(batch).execute();
}

/** Returns true if the database has no records. */
export async function isEmpty(db: Kysely<Tables>): Promise<boolean> {
  const rows = await db.selectFrom('records').select(sql<number>`1`.as('one')).limit(1).execute();
  return rows.length === 0;
}

function parentsFirst(contents: readonly WholeRecord[]): readonly WholeRecord[] {
  return [...contents.filter(one => one.parentId === null), ...contents.filter(one => one.parentId !== null)];
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

/** Returns the time of the newest kept answer. */
export async function latestAnswer(db: Kysely<Tables>): Promise<number | undefined> {
  const row = await db.selectFrom('answers').select('kept_at').orderBy('kept_at', 'desc').limit(1).executeTakeFirst();
  return row?.kept_at;
}

/** Returns true if the body of a record contains a text without wildcards. */
export async function containsText(db: Kysely<Tables>, text: string): Promise<boolean> {
  const rows = await db.selectFrom('records').select('id').where('body', 'like', `%${text}%`).limit(1).execute();
  return rows.length > 0;
}

const PROBE_KEY = 'probe';

/**
 * Writes a row of its own, which fails if the disk is full or the database is read-only. The value differs each time, because databases skip
 * writes that change nothing.
 *
 * @param bytes the size of the value, so that room for small rows only is noticed
 */
export async function touch(db: Kysely<Tables>, bytes: number): Promise<void> {
  const value = randomBytes(bytes / 2).toString('hex');
  await db
    .insertInto('meta')
    .values({ key: PROBE_KEY, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
