import { existsSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';
import { isPostgres, openStore, readServerSettings, type Store } from '@tollgate/edge-server';
import type { Terminal } from '../process/terminal.ts';
import type { ServerOptions } from './server-options.ts';

/** Opens the configured database, which must exist unless it may be created, runs `work` on it, and closes it. */
export async function onDatabase<T>(
  { config, ...flags }: ServerOptions,
  { env }: Terminal,
  work: (store: Store) => Promise<T>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<T> {
  const { database } = readServerSettings({ flags, env, file: config });
  if (!mayCreate && !isPostgres(database) && !existsSync(database)) {
    const hint = `name an existing one, or start \`tollgate serve --database ${database}\`, which creates it`;
    throw new ExternalError('store/unavailable', `the database \`${database}\` does not exist; ${hint}`);
  }
  const store = await openStore(database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
