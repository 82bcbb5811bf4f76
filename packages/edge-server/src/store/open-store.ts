import type { Store } from './port/store.ts';

/** Opens the store at a `postgres://` URL or the path of an SQLite file. Loads only the driver that it needs. */
export async function openStore(database: string, now: () => number = Date.now): Promise<Store> {
  if (isPostgres(database)) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return await openPostgresStore(database, now);
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return await openSqliteStore(database, now);
}

/** Returns true if the setting is a PostgreSQL URL. */
export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}
