import { WorldError } from '@tollgate/diagnostics';
import { type Kysely, sql } from 'kysely';
import { type Flavour, MIGRATIONS } from './migrations.ts';
import type { Tables } from './tables.ts';

/**
 * Brings the schema to the newest version, inside a transaction that keeps other processes from doing the same. A database
 * that a newer Tollgate has changed is left alone.
 *
 * @throws WorldError `store/newer-version`
 */
export async function migrate(db: Kysely<Tables>, flavour: Flavour): Promise<void> {
  await db.schema
    .createTable('meta')
    .ifNotExists()
    .addColumn('key', flavour.key, column => column.primaryKey().notNull())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  const version = await schemaVersion(db);
  if (version > MIGRATIONS.length) {
    throw new WorldError(
      'store/newer-version',
      `the database is of a newer version of Tollgate: its schema is ${version}, this one knows ${MIGRATIONS.length}`,
    );
  }
  if (version === MIGRATIONS.length) return;
  for (const step of MIGRATIONS.slice(version)) await step(db, flavour);
  await db
    .insertInto('meta')
    .values({ key: 'schema', value: String(MIGRATIONS.length) })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}

async function schemaVersion(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'schema').executeTakeFirst();
  return row ? Number(row.value) : 0;
}
