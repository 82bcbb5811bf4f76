import { ExternalError } from '@tollgate/diagnostics';
import type { Kysely } from 'kysely';
import type { WholeRecord } from '../port/store.ts';
import { isEmpty, writeContents } from './contents.ts';
import type { Tables } from './tables.ts';

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
