// Opens SQLite or PostgreSQL, whichever the setting names.

import { ExternalError } from '@tollgate/diagnostics';
import type { Store } from './store.ts';

/** Opens the store at a `postgres://` URL or the path of an SQLite file. Loads only the driver that it needs. */
export async function openStore(database: string, now: () => number = Date.now): Promise<Store> {
  if (isPostgres(database)) {
    const { openPostgresStore } = await loadPostgres();
    return await openPostgresStore(database, now);
  }
  const { openSqliteStore } = await import('./sqlite-store.ts');
  return await openSqliteStore(database, now);
}

/** The driver is an optional package of the published command. */
async function loadPostgres(): Promise<typeof import('./postgres-store.ts')> {
  try {
    return await import('./postgres-store.ts');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ExternalError('store/no-driver', 'PostgreSQL needs the package `pg`; run `npm install pg`', { cause });
  }
}

/** Returns true if the setting is a PostgreSQL URL. */
export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}
