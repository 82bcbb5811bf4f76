// Queries for the record of changes and for kept answers.

import type { Kysely } from 'kysely';
import { Prepared, slot } from './prepared.ts';
import type { Tables } from './schema.ts';
import type { ChangeLog, KeptAnswer, RecordedChange } from './store.ts';

interface ChangeRow {
  readonly seq: number;
  readonly at: number;
  readonly operation: string;
  readonly request_id: string | null;
  readonly resource_id: string;
  readonly key_id: string | null;
  readonly address: string | null;
  readonly detail: string;
}

interface Page {
  readonly before: number;
  readonly since: number;
  readonly limit: number;
}

/** The prepared queries on the record of changes. */
export type ChangeQueries = ReturnType<typeof prepareChangeQueries>;

/** Prepares all queries on the record of changes. */
export function prepareChangeQueries(db: Kysely<Tables>) {
  const page = db
    .selectFrom('changes')
    .selectAll()
    .where('seq', '<', slot<number>('before'))
    .where('at', '>=', slot<number>('since'))
    .orderBy('seq', 'desc')
    .limit(slot<number>('limit'));
  return {
    add: new Prepared<Omit<RecordedChange, 'seq'>, unknown>(
      db.insertInto('changes').values({
        at: slot<number>('at'),
        operation: slot<string>('operation'),
        request_id: slot<string | null>('requestId'),
        resource_id: slot<string>('resourceId'),
        key_id: slot<string | null>('keyId'),
        address: slot<string | null>('address'),
        detail: slot<string>('detail'),
      }),
    ),
    page: new Prepared<Page, ChangeRow>(page),
    pageOf: new Prepared<Page & { readonly key: string }, ChangeRow>(page.where('key_id', '=', slot<string>('key'))),
    trim: new Prepared<{ readonly before: number }, { readonly seq: number }>(
      db.deleteFrom('changes').where('at', '<', slot<number>('before')).returning('seq'),
    ),
  };
}

/** The database access of the record of changes. */
interface ChangeSession {
  readonly queries: ChangeQueries;
  readonly reading: Kysely<Tables>;
  /** Runs work in its own transaction. */
  readonly write: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
}

/** Returns the record of changes of a session. */
export function createChangeLog({ queries, reading, write }: ChangeSession): ChangeLog {
  return {
    page: async ({ before = Number.MAX_SAFE_INTEGER, since = 0, key, limit }) => {
      const page = { before, since, limit };
      const rows = key === undefined ? queries.page.run(reading, page) : queries.pageOf.run(reading, { ...page, key });
      return (await rows).map(toChange);
    },
    trim: async before => (await write(db => queries.trim.run(db, { before }))).length,
  };
}

function toChange(row: ChangeRow): RecordedChange {
  const { seq, at, operation, address, detail } = row;
  return {
    seq,
    at,
    operation,
    requestId: row.request_id,
    resourceId: row.resource_id,
    keyId: row.key_id,
    address,
    detail,
  };
}

interface ByKey {
  readonly key: string;
}

/** The prepared queries on kept answers. */
export type AnswerQueries = ReturnType<typeof prepareAnswerQueries>;

/** Prepares all queries on kept answers. */
export function prepareAnswerQueries(db: Kysely<Tables>) {
  return {
    forget: new Prepared<{ readonly since: number }, unknown>(
      db.deleteFrom('answers').where('kept_at', '<', slot<number>('since')),
    ),
    /** Waits for other transactions that insert the same key. */
    reserve: new Prepared<ByKey & { readonly now: number }, ByKey>(
      db
        .insertInto('answers')
        .values({
          key: slot<string>('key'),
          fingerprint: '',
          status: 0,
          body: '',
          revision: null,
          kept_at: slot<number>('now'),
        })
        .onConflict(conflict => conflict.column('key').doNothing())
        .returning('key'),
    ),
    byKey: new Prepared<ByKey, KeptAnswer>(
      db
        .selectFrom('answers')
        .select(['fingerprint', 'status', 'body', 'revision'])
        .where('key', '=', slot<string>('key')),
    ),
    keep: new Prepared<ByKey & KeptAnswer, unknown>(
      db
        .updateTable('answers')
        .set({
          fingerprint: slot<string>('fingerprint'),
          status: slot<number>('status'),
          body: slot<string>('body'),
          revision: slot<number | null>('revision'),
        })
        .where('key', '=', slot<string>('key')),
    ),
  };
}
