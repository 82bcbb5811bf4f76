import type { Claim, KeptAnswer, NewRecord, OutboxEvent, RecordChange, RecordWriter } from '../port/store.ts';
import { StoreConflict } from '../port/store-conflict.ts';
import type { AnswerQueries } from './answer-queries.ts';
import type { ChangeQueries } from './change-log.ts';
import type { OutboxQueries } from './outbox-queries.ts';
import { createRecordReader, recordOf, type Session } from './record-reader.ts';

/** A session within a transaction. */
interface WriteSession extends Session {
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
