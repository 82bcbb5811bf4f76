import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, type RunningServer, readServerSettings, startServer } from '@tollgate/edge-server';
import { inject } from 'vitest';
import { installedThread } from '../support/installed-command.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { postgresForTests } from '../support/postgres.ts';
import type { Server } from './api-fixture.ts';

/** A server of a suite, and how to stop it. */
export interface Started extends Server {
  readonly running: RunningServer;
  /** Every line of its log. */
  readonly logged: readonly string[];
  /** Every event written to standard output. */
  readonly written: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Outside of development, no key is created automatically. */
const KEY = { description: 'suite', scopes: ['read', 'write', 'admin'], expiresAt: undefined } as const;

/** The database of a server, and how to remove it. */
interface Database {
  readonly name: string;
  readonly stop: () => void;
}

/** Creates an SQLite file or, in the project `postgres`, a database of a PostgreSQL server. */
async function newDatabase(folder: string): Promise<Database> {
  if (!inject('isOnPostgres')) return { name: join(folder, 'edge.db'), stop: () => undefined };
  const postgres = await postgresForTests();
  if (postgres === undefined) throw new Error('PostgreSQL is not installed');
  return { name: await postgres.newDatabase(), stop: postgres.stop };
}

/** Starts a server with a temporary store. */
export async function startForTest(flags: Readonly<Record<string, string | boolean>> = {}): Promise<Started> {
  const folder = memoryFolder('tollgate-edge-');
  const database = await newDatabase(folder);
  const given = {
    database: database.name,
    port: '0',
    development: true,
    eventsFolder: folder,
    logLevel: 'warn',
    maxConcurrent: '1000',
    requestTimeout: '3600',
    ...flags,
  };
  const settings = readServerSettings({ flags: given, env: {}, file: undefined });
  const logged: string[] = [];
  const written: string[] = [];
  const running = await startServer(settings, {
    env: { TOLLGATE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    now: Date.now,
    writeLine: line => written.push(line),
    log: line => logged.push(line),
    threadFile: await installedThread(),
  });
  const stop = async () => {
    await running.stop();
    database.stop();
    rmSync(folder, { recursive: true });
  };
  const { token } = running.firstKey ?? (await createKey(running.store, KEY));
  return { running, logged, written, stop, baseUrl: `${running.url}${settings.basePath}`, token };
}
