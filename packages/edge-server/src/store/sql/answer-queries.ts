import type { Kysely } from 'kysely';
import type { KeptAnswer } from '../port/store.ts';
import { Prepared, slot } from './prepared.ts';
import type { Tables } from './tables.ts';

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
