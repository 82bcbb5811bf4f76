import { type Kysely, sql } from 'kysely';
import { Prepared, slot } from './prepared.ts';
import type { Tables } from './tables.ts';

/** A row of a record. */
export interface RecordRow {
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
export const LAST_ID = '~';

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
export type RecordQueries = ReturnType<typeof prepareRecordQueries>;

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
