import type { Kysely } from 'kysely';
import type { Family, Page, RecordReader, StoredRecord } from '../port/store.ts';
import { LAST_ID, type RecordQueries, type RecordRow } from './queries.ts';
import type { Tables } from './tables.ts';

/** A database connection or transaction with its prepared queries. */
export interface Session {
  readonly db: Kysely<Tables>;
  readonly queries: RecordQueries;
}

/** Returns a reader of records in a session. */
export function createRecordReader({ db, queries }: Session): RecordReader {
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
export function recordOf(row: RecordRow | undefined): StoredRecord | undefined {
  return row && toRecord(row);
}

function toRecord(row: RecordRow): StoredRecord {
  const { id, kind, body, revision } = row;
  return { id, kind, body, revision, parentId: row.parent_id, createdAt: row.created_at };
}

function bounds({ beforeId = LAST_ID, limit }: Page): { readonly before: string; readonly limit: number } {
  return { before: beforeId, limit };
}

async function readFamilies({ db, queries }: Session, kind: string, page: Page): Promise<readonly Family[]> {
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
