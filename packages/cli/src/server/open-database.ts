import { openStore, readServerSettings, type Store } from '@tollgate/edge-server';
import type { Terminal } from '../process/terminal.ts';
import type { ServerOptions } from './server-options.ts';

/** Opens the configured database, runs `work` on it, and closes it. */
export async function onDatabase<T>(
  { config, ...flags }: ServerOptions,
  { env }: Terminal,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { database } = readServerSettings({ flags, env, file: config });
  const store = await openStore(database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
