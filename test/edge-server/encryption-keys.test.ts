import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, restoreBackup, rotateEncryption } from '@tollgate/edge-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

let folder: string;
let database: string;
const running: TestServer[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-'));
  database = join(folder, 'edge.db');
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  rmSync(folder, { recursive: true });
});

async function started(secretKeyFile = ''): Promise<TestServer> {
  const server = await startTestServer({ database, secretKeyFile });
  running.push(server);
  return server;
}

async function stopAll(): Promise<void> {
  for (const server of running.splice(0)) await server.stop();
}

/** Writes new keys to a file, in front of those of another one. */
function keyFile(name: string, after?: string): string {
  const path = join(folder, name);
  const others = after === undefined ? '' : readFileSync(after, 'utf8');
  writeFileSync(path, `${randomBytes(32).toString('base64')}\n${others}`);
  return path;
}

const WEBHOOK = { provider: 'github', secret: 'hush hush' };

/** Creates two routes with a secret each, and returns their paths. */
async function routes(server: TestServer): Promise<readonly [string, string]> {
  const edge = textOf(await server.call('POST', '/edges/https', { body: {} }), 'id');
  const make = async (match: string) => {
    const body = { match_type: 'exact_path', match, webhook_verification: WEBHOOK };
    const answer = await server.call('POST', `/edges/https/${edge}/routes`, { body });
    return `/edges/https/${edge}/routes/${textOf(answer, 'id')}`;
  };
  return [await make('/a'), await make('/b')];
}

async function rotate(secretKeyFile: string, giveUp = false) {
  const store = await openStore(database);
  try {
    return await rotateEncryption(store, { database, secretKeyFile }, { env: {}, giveUp });
  } finally {
    await store.close();
  }
}

/** Repeats one creation, as a client does that did not get the response. */
async function createOnce(
  server: TestServer,
  token: string,
): Promise<{ readonly status: number; readonly msg: unknown }> {
  const { status, body } = await server.call('POST', '/ip_policies', {
    body: { description: 'office' },
    headers: { 'idempotency-key': 'once', authorization: `Bearer ${token}` },
  });
  return { status, msg: (body as { msg?: unknown }).msg };
}

async function secretAt(server: TestServer, path: string): Promise<unknown> {
  return ((await server.call('GET', `${path}/webhook_verification`)).body as typeof WEBHOOK).secret;
}

describe('a lost encryption key', () => {
  it('is not replaced by a new one, and the server does not start without it', async () => {
    await routes(await started());
    await stopAll();
    rmSync(`${database}.key`);
    await expect(started()).rejects.toMatchObject({
      code: 'settings/secret-key',
      message: expect.stringContaining('is missing, and the database has secrets'),
    });
    expect(existsSync(`${database}.key`)).toBe(false);
  });

  it('leaves everything else usable after it was given up, and its secrets come back with it', async () => {
    const before = await started();
    const [first, second] = await routes(before);
    expect((await createOnce(before, before.token)).status).toBe(201);
    await stopAll();
    const lost = join(folder, 'lost.key');
    writeFileSync(lost, readFileSync(`${database}.key`));
    rmSync(`${database}.key`);
    await expect(rotate('')).rejects.toMatchObject({ code: 'settings/secret-key' });
    const { unreadable, secrets } = await rotate('', true);
    expect([unreadable.length, secrets]).toEqual([2, 0]);
    const server = await started();
    const listed = await server.call('GET', '/edges/https');
    const reason = /edghtsrt_\w+\/webhook_verification\/secret: the encryption key [0-9a-f]{8} is missing/;
    expect([listed.status, listed.headers.get('unreadable-secrets')]).toEqual([200, expect.stringMatching(reason)]);
    for (let count = 0; count < 2; count += 1) expect(await secretAt(server, first)).toBeNull();
    expect((await server.call('PATCH', second, { body: { description: 'kept' } })).status).toBe(200);
    expect((await server.call('PUT', `${first}/webhook_verification`, { body: WEBHOOK })).body).toMatchObject(WEBHOOK);
    expect(await secretAt(server, first)).toBe('hush hush');
    expect((await server.call('DELETE', `${first}/webhook_verification`)).status).toBe(204);
    expect(await createOnce(server, before.token)).toEqual({
      status: 422,
      msg: expect.stringMatching(/was done before, .* is missing; list/),
    });
    await stopAll();
    writeFileSync(`${database}.key`, `${readFileSync(`${database}.key`, 'utf8')}${readFileSync(lost, 'utf8')}`);
    const again = await started();
    expect(await secretAt(again, second)).toBe('hush hush');
    expect((await createOnce(again, before.token)).status).toBe(201);
    expect((await again.call('GET', '/edges/https')).headers.get('unreadable-secrets')).toBeNull();
    for (const path of [first, second]) expect((await again.call('DELETE', path)).status).toBe(204);
  });
});

it('a process with other keys than those of the database does not start', async () => {
  const [ours, theirs] = [keyFile('ours.key'), keyFile('theirs.key')];
  await started(ours);
  await expect(started(theirs)).rejects.toMatchObject({
    code: 'settings/secret-key',
    message: expect.stringContaining('the encryption keys are not those of the database'),
  });
  await started(keyFile('both.key', ours));
});

it('a rotation encrypts all secrets with the first key, and names the key that can go', async () => {
  const old = keyFile('old.key');
  const [first] = await routes(await started(old));
  await stopAll();
  const both = keyFile('both.key', old);
  const { secrets, records, spareKeys, keyId, unreadable } = await rotate(both);
  expect({ secrets, records, unreadable }).toEqual({ secrets: 2, records: 2, unreadable: [] });
  expect(await rotate(both)).toMatchObject({ secrets: 0, keyId, spareKeys });
  expect(spareKeys).toHaveLength(1);
  await expect(started(old)).rejects.toMatchObject({ code: 'settings/secret-key' });
  const [line] = readFileSync(both, 'utf8').split('\n');
  writeFileSync(join(folder, 'new.key'), `${line}\n`);
  expect(await secretAt(await started(join(folder, 'new.key')), first)).toBe('hush hush');
});

it('databases, backups and what is restored can be read by their owner only', async () => {
  const mask = process.umask(0);
  try {
    const server = await started();
    const backup = join(folder, 'backup.db');
    await server.server.store.backup(backup);
    restoreBackup(backup, join(folder, 'restored.db'));
    const modes = ['edge.db', 'backup.db', 'restored.db', 'edge.db.key'].map(
      name => statSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  } finally {
    process.umask(mask);
  }
});
