import { ExternalError } from '@tollgate/diagnostics';
import { type Kysely, sql } from 'kysely';
import { createKsuidSource } from '../port/ksuid.ts';
import { type Flavour, MIGRATIONS } from './migrations.ts';
import type { Tables } from './tables.ts';

/**
 * Migrates the schema to the newest version, within a transaction that excludes other processes. Returns the permanent identity of the
 * database.
 *
 * @throws ExternalError `store/newer-version`
 */
export async function migrate(db: Kysely<Tables>, flavour: Flavour): Promise<string> {
  await db.schema
    .createTable('meta')
    .ifNotExists()
    .addColumn('key', flavour.key, column => column.primaryKey().notNull())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  const version = Number((await metaValue(db, 'schema')) ?? 0);
  if (version > MIGRATIONS.length) {
    throw new ExternalError(
      'store/newer-version',
      `the database was created by a newer version of Tollgate: found schema ${version}, expected at most ${MIGRATIONS.length}; upgrade Tollgate`,
    );
  }
  if (version < MIGRATIONS.length) {
    for (const step of MIGRATIONS.slice(version)) await step(db, flavour);
    await setMetaValue(db, 'schema', String(MIGRATIONS.length));
  }
  const known = await metaValue(db, 'identity');
  if (known !== undefined) return known;
  const identity = createKsuidSource()();
  await setMetaValue(db, 'identity', identity);
  return identity;
}

/** Returns a property of the database. */
export async function metaValue(db: Kysely<Tables>, key: string): Promise<string | undefined> {
  return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value;
}

/** Sets a property of the database. */
export async function setMetaValue(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
