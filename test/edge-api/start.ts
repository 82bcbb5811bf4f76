import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey, type RunningServer, readServerSettings, startServer } from '@tollgate/edge-server';
import type { Server } from './world.ts';

/** A server of ours for a suite, and how to end it. */
export interface Started extends Server {
  readonly running: RunningServer;
  /** Every line that it has logged. */
  readonly logged: readonly string[];
  /** Every event that went to the standard output. */
  readonly written: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Outside of development no key is made by itself. */
const KEY = { description: 'suite', scopes: ['read', 'write', 'admin'], expiresAt: undefined } as const;

/** Starts a server with a store of its own, which is gone with it. A database may be named instead. */
export async function startForTest(flags: Readonly<Record<string, string | boolean>> = {}): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-edge-'));
  const database = process.env.TOLLGATE_TEST_DATABASE ?? join(folder, 'edge.db');
  const given = {
    database,
    port: '0',
    development: true,
    eventsFolder: folder,
    logLevel: 'warn',
    maxConcurrent: '1000',
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
  });
  const stop = async () => {
    await running.stop();
    rmSync(folder, { recursive: true });
  };
  const { token } = running.firstKey ?? (await createKey(running.store, KEY));
  return { running, logged, written, stop, baseUrl: `${running.url}${settings.basePath}`, token };
}
