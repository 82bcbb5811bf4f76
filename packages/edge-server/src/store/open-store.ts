import type { Store } from './port/store.ts';

/** Opens the store that a setting names: a `postgres://` URL, or the path of an SQLite file. Loads what the one needs only. */
export async function openStore(database: string, now: () => number = Date.now): Promise<Store> {
  if (isPostgres(database)) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return await openPostgresStore(database, now);
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return await openSqliteStore(database, now);
}

/** Whether a setting names a PostgreSQL database. */
export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}
