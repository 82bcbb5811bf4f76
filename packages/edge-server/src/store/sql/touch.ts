import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

const KEY = 'probe';

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
    .values({ key: KEY, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
