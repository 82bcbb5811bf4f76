// Queries and writes of records.

import { ExternalError } from '@tollgate/diagnostics';
import { type Kysely, sql } from 'kysely';
import type { AnswerQueries, ChangeQueries } from './change-log.ts';
import { isEmpty, writeContents } from './contents.ts';
import type { OutboxQueries } from './outbox.ts';
import { Prepared, slot } from './prepared.ts';
import type { Tables } from './schema.ts';
import {
  type Claim,
  type Family,
  type KeptAnswer,
  type NewRecord,
  type OutboxEvent,
  type Page,
  type RecordChange,
  type RecordReader,
  type RecordWriter,
  StoreConflict,
  type StoredRecord,
  type WholeRecord,
} from './store.ts';

/** A database connection or transaction with its prepared queries. */
interface RecordSession {
  readonly db: Kysely<Tables>;
  readonly queries: RecordQueries;
}

/** Returns a reader of records in a session. */
export function createRecordReader({ db, queries }: RecordSession): RecordReader {
  return {
    get: async id => recordOf(await queries.byId.first(db, { id })),
    revision: async id => (await queries.revision.first(db, { id }))?.revision,
    family: async id => {
      const rows = await queries.family.run(db, { id });
      const head = rows.find(row => row.id === id);
      return head && { record: toRecord(head), members: rows.filter(row => row !== head).map(toRecord) };
    },
    families: (kind, page) => readFamilies({ db, queries }, kind, page),
    page: async (kind, page) => (await queries.page.run(db, { kind, ...bounds(page) })).map(toRecord),
    kinds: async ids => {
      if (ids.length === 0) return new Map();
      const rows = await db.selectFrom('records').select(['id', 'kind']).where('id', 'in', ids).execute();
      return new Map(rows.map(row => [row.id, row.kind]));
    },
    referrers: async id => (await queries.referrers.run(db, { id })).map(row => row.from_id),
    claimant: async claim => (await queries.claimant.first(db, { ...claim }))?.record_id,
    count: async kind => (await queries.count.first(db, { kind }))?.count ?? 0,
  };
}

/** Converts a row to a record. */
function recordOf(row: RecordRow | undefined): StoredRecord | undefined {
  return row && toRecord(row);
}

function toRecord(row: RecordRow): StoredRecord {
  const { id, kind, body, revision } = row;
  return { id, kind, body, revision, parentId: row.parent_id, createdAt: row.created_at };
}

function bounds({ beforeId = LAST_ID, limit }: Page): { readonly before: string; readonly limit: number } {
  return { before: beforeId, limit };
}

async function readFamilies({ db, queries }: RecordSession, kind: string, page: Page): Promise<readonly Family[]> {
  const rows = await queries.families.run(db, { kind, ...bounds(page) });
  const heads = rows.filter(row => row.id === row.family_id).sort((a, b) => (a.id < b.id ? 1 : -1));
  const members = Map.groupBy(
    rows.filter(row => row.id !== row.family_id),
    row => row.family_id,
  );
  return heads.map(head => ({
    record: toRecord(head),
    members: (members.get(head.id) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1)).map(toRecord),
  }));
}

/** A session within a transaction. */
interface WriteSession extends RecordSession {
  readonly outbox: OutboxQueries;
  readonly answers: AnswerQueries;
  readonly changes: ChangeQueries;
  readonly now: () => number;
}

/** Returns a writer of records in a transaction. */
export function createRecordWriter(session: WriteSession): RecordWriter {
  const { db, queries } = session;
  return {
    ...createRecordReader(session),
    lock: async id => recordOf(await queries.lock.first(db, { id })),
    insert: record => insert(session, record),
    update: change => update(session, change),
    remove: id => remove(session, id),
    setSources: (subscriptionId, types) => setSources(session, subscriptionId, types),
    reserveAnswer: (key, since) => reserveAnswer(session, key, since),
    keepAnswer: async (key, answer) => void (await session.answers.keep.run(db, { key, ...answer })),
    record: async change => void (await session.changes.add.run(db, change)),
    publish: event => publish(session, event),
  };
}

async function insert(session: WriteSession, record: NewRecord): Promise<void> {
  const { id, kind, body, parentId, createdAt, refs, claims } = record;
  if (parentId !== null && !(await touch(session, parentId))) {
    throw new StoreConflict({ kind: 'no-such-record', ids: [parentId] });
  }
  await session.queries.insert.run(session.db, { id, kind, body, parent_id: parentId, created_at: createdAt });
  await addRefs(session, id, refs);
  await addClaims(session, id, claims);
}

async function update(session: WriteSession, change: RecordChange): Promise<number> {
  const { db, queries } = session;
  const { id, body, refs, claims } = change;
  const row = body === undefined ? await queries.touch.first(db, { id }) : await queries.update.first(db, { id, body });
  if (!row) throw new StoreConflict({ kind: 'no-such-record', ids: [id] });
  if (row.parent_id !== null) await touch(session, row.parent_id);
  if (refs) {
    await queries.dropRefs.run(db, { id });
    await addRefs(session, id, refs);
  }
  if (claims) {
    await queries.dropClaims.run(db, { id });
    await addClaims(session, id, claims);
  }
  return row.revision;
}

/** Increments the revision of a record whose response includes changed records. */
async function touch({ db, queries }: WriteSession, id: string): Promise<boolean> {
  return (await queries.touch.first(db, { id })) !== undefined;
}

async function remove(session: WriteSession, id: string): Promise<void> {
  const { db, queries } = session;
  const by = (await queries.referrers.run(db, { id })).map(row => row.from_id);
  if (by.length > 0) throw new StoreConflict({ kind: 'still-referenced', id, by });
  const row = await queries.remove.first(db, { id });
  if (!row) throw new StoreConflict({ kind: 'no-such-record', ids: [id] });
  if (row.parent_id !== null) await touch(session, row.parent_id);
}

async function addRefs(session: WriteSession, from: string, refs: readonly string[]): Promise<void> {
  const targets = [...new Set(refs)];
  if (targets.length === 0) return;
  const known = await createRecordReader(session).kinds(targets);
  const missing = targets.filter(id => !known.has(id));
  if (missing.length > 0) throw new StoreConflict({ kind: 'no-such-record', ids: missing });
  for (const to of targets) await session.queries.addRef.run(session.db, { from, to });
}

async function addClaims({ db, queries }: WriteSession, recordId: string, claims: readonly Claim[]): Promise<void> {
  for (const claim of claims) {
    const taken = await queries.claimant.first(db, { ...claim });
    if (taken) throw new StoreConflict({ kind: 'claim-taken', claim, by: taken.record_id });
    await queries.addClaim.run(db, { ...claim, recordId });
  }
}

async function setSources({ db, outbox }: WriteSession, id: string, types: readonly string[]): Promise<void> {
  await outbox.dropSources.run(db, { id });
  for (const type of new Set(types)) await outbox.addSource.run(db, { id, type });
}

async function reserveAnswer(
  { db, answers, now }: WriteSession,
  key: string,
  since: number,
): Promise<KeptAnswer | undefined> {
  await answers.forget.run(db, { since });
  const isNew = (await answers.reserve.first(db, { key, now: now() })) !== undefined;
  return isNew ? undefined : await answers.byKey.first(db, { key });
}

async function publish({ db, outbox, now }: WriteSession, event: OutboxEvent): Promise<boolean> {
  const destinations = await outbox.destinations.run(db, { type: event.type });
  if (destinations.length === 0) return false;
  const { id, type, resourceId } = event;
  const shared = { eventId: id, type, resourceId, body: await event.body() };
  for (const { to_id: destinationId } of destinations) {
    const earlier = await outbox.waitsFor.first(db, { destinationId, resourceId });
    await outbox.add.run(db, { ...shared, destinationId, readyAt: earlier ? null : now() });
  }
  return true;
}

/** A row of a record. */
interface RecordRow {
  readonly id: string;
  readonly kind: string;
  readonly parent_id: string | null;
  readonly body: string;
  readonly revision: number;
  readonly created_at: string;
}

/** A row of a record with the list position of its family. */
interface FamilyRow extends RecordRow {
  readonly family_id: string;
}

interface ById {
  readonly id: string;
}

/** A string greater than every identifier. */
const LAST_ID = '~';

interface PageOf {
  readonly kind: string;
  readonly before: string;
  readonly limit: number;
}

interface ClaimRow {
  readonly scope: string;
  readonly value: string;
  readonly recordId: string;
}

/** The prepared queries on records. */
type RecordQueries = ReturnType<typeof prepareRecordQueries>;

/** Prepares all queries on records; `forUpdate` locks a row until the end of the transaction. */
export function prepareRecordQueries(db: Kysely<Tables>, { rowLocks }: { readonly rowLocks: boolean }) {
  const byId = db.selectFrom('records').selectAll().where('id', '=', slot<string>('id'));
  return {
    byId: new Prepared<ById, RecordRow>(byId),
    lock: new Prepared<ById, RecordRow>(rowLocks ? byId.forUpdate() : byId),
    revision: new Prepared<ById, { revision: number }>(
      db.selectFrom('records').select('revision').where('id', '=', slot<string>('id')),
    ),
    ...prepareLists(db),
    ...prepareLinks(db),
    insert: new Prepared<Omit<RecordRow, 'revision'>, unknown>(
      db.insertInto('records').values({
        id: slot<string>('id'),
        kind: slot<string>('kind'),
        parent_id: slot<string | null>('parent_id'),
        body: slot<string>('body'),
        created_at: slot<string>('created_at'),
        revision: 1,
      }),
    ),
    update: new Prepared<ById & { readonly body: string }, { revision: number; parent_id: string | null }>(
      db
        .updateTable('records')
        .set({ body: slot<string>('body'), revision: sql<number>`revision + 1` })
        .where('id', '=', slot<string>('id'))
        .returning(['revision', 'parent_id']),
    ),
    touch: new Prepared<ById, { revision: number; parent_id: string | null }>(
      db
        .updateTable('records')
        .set({ revision: sql<number>`revision + 1` })
        .where('id', '=', slot<string>('id'))
        .returning(['revision', 'parent_id']),
    ),
    remove: new Prepared<ById, { parent_id: string | null }>(
      db.deleteFrom('records').where('id', '=', slot<string>('id')).returning('parent_id'),
    ),
  };
}

function prepareLists(db: Kysely<Tables>) {
  const page = db
    .selectFrom('records')
    .where('kind', '=', slot<string>('kind'))
    .where('id', '<', slot<string>('before'))
    .orderBy('id', 'desc')
    .limit(slot<number>('limit'));
  return {
    page: new Prepared<PageOf, RecordRow>(page.selectAll()),
    family: new Prepared<ById, RecordRow>(
      db
        .selectFrom('records')
        .selectAll()
        .where(either =>
          either.or([either('id', '=', slot<string>('id')), either('parent_id', '=', slot<string>('id'))]),
        )
        .orderBy('id'),
    ),
    families: new Prepared<PageOf, FamilyRow>(
      db
        .with('listed', () => page.select('id'))
        .with('family', withListed => {
          const rows = withListed.selectFrom('listed').innerJoin('records', 'records.id', 'listed.id');
          const members = withListed.selectFrom('listed').innerJoin('records', 'records.parent_id', 'listed.id');
          return rows
            .selectAll('records')
            .select('listed.id as family_id')
            .unionAll(members.selectAll('records').select('listed.id as family_id'));
        })
        .selectFrom('family')
        .selectAll(),
    ),
    count: new Prepared<{ readonly kind: string }, { count: number }>(
      db
        .selectFrom('records')
        .select(sql<number>`cast(count(*) as integer)`.as('count'))
        .where('kind', '=', slot<string>('kind')),
    ),
  };
}

function prepareLinks(db: Kysely<Tables>) {
  return {
    referrers: new Prepared<ById, { from_id: string }>(
      db.selectFrom('refs').select('from_id').where('to_id', '=', slot<string>('id')).orderBy('from_id').limit(10),
    ),
    addRef: new Prepared<{ readonly from: string; readonly to: string }, unknown>(
      db.insertInto('refs').values({ from_id: slot<string>('from'), to_id: slot<string>('to') }),
    ),
    dropRefs: new Prepared<ById, unknown>(db.deleteFrom('refs').where('from_id', '=', slot<string>('id'))),
    claimant: new Prepared<Omit<ClaimRow, 'recordId'>, { record_id: string }>(
      db
        .selectFrom('claims')
        .select('record_id')
        .where('scope', '=', slot<string>('scope'))
        .where('value', '=', slot<string>('value')),
    ),
    addClaim: new Prepared<ClaimRow, unknown>(
      db.insertInto('claims').values({
        scope: slot<string>('scope'),
        value: slot<string>('value'),
        record_id: slot<string>('recordId'),
      }),
    ),
    dropClaims: new Prepared<ById, unknown>(db.deleteFrom('claims').where('record_id', '=', slot<string>('id'))),
  };
}

/** Writes records within a transaction, unless the database has any. */
export async function fillEmpty(db: Kysely<Tables>, contents: readonly WholeRecord[]): Promise<void> {
  if (!(await isEmpty(db))) {
    throw new ExternalError(
      'store/not-empty',
      'the database has records already; a configuration is imported into an empty one',
    );
  }
  await writeContents(db, contents);
}
