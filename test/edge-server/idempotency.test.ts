import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, openStore } from '@tollgate/edge-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryFolder } from '../support/memory-folder.ts';
import { postgresForTests } from '../support/postgres.ts';
import { type Answer, startTestServer, type TestServer, textOf } from './test-server.ts';

const postgres = await postgresForTests();
const url = await postgres?.newDatabase();
const folder = memoryFolder('tollgate-idempotency-');

afterAll(() => postgres?.stop());

const DATABASES = [
  ['SQLite', join(folder, 'test.db')],
  ['PostgreSQL', url],
] as const;

describe.each(DATABASES)('a creation with an `Idempotency-Key` on %s', (_, database) => {
  let server: TestServer;

  beforeAll(async () => {
    if (database === undefined) return;
    const secretKeyFile = join(folder, 'key');
    writeFileSync(secretKeyFile, randomBytes(32).toString('base64'));
    server = await startTestServer({ database, secretKeyFile, logLevel: 'silent' });
    return () => server.stop();
  });

  const post = (path: string, key: string, body: object): Promise<Answer> =>
    server.call('POST', path, { body, headers: { 'idempotency-key': key } });

  it('is done once; each repetition gets the first answer', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const first = await post('/ip_policies', 'one', { description: 'office' });
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    await server.call('PATCH', `/ip_policies/${textOf(first, 'id')}`, { body: { description: 'changed' } });
    const again = await post('/ip_policies', 'one', { description: 'office' });
    expect([again.status, again.headers.get('idempotent-replayed'), again.headers.get('etag'), again.text]).toEqual([
      201,
      'true',
      '"1"',
      first.text,
    ]);
    const list = await server.call('GET', '/ip_policies');
    expect((list.body as { ip_policies: unknown[] }).ip_policies).toHaveLength(1);
  });

  it('is done once even if all requests arrive at the same time', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const body = { domain: 'same-time.example' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/reserved_domains', 'same time', body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  });

  it('is refused with 422 if the key was sent with another body or to another path', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    await post('/ip_policies', 'two', { description: 'a' });
    const refused = { status_code: 422, msg: expect.stringContaining('use a new key for each request') };
    const others = [
      await post('/ip_policies', 'two', { description: 'b' }),
      await post('/api_keys', 'two', { description: 'a' }),
    ];
    for (const { status, body } of others) expect([status, body]).toMatchObject([422, refused]);
  });

  it('runs again after a refusal, which leaves no answer', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const rule = { action: 'allow', cidr: '192.0.2.0/24', ip_policy_id: `ipp_${'0'.repeat(27)}` };
    expect((await post('/ip_policy_rules', 'three', rule)).status).toBe(400);
    const policy = textOf(await post('/ip_policies', 'policy of three', {}), 'id');
    expect((await post('/ip_policy_rules', 'three', { ...rule, ip_policy_id: policy })).status).toBe(201);
  });

  it('belongs to its API key, and needs a usable name', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const other = await server.keyFor(['write']);
    const headers = { 'idempotency-key': 'one', authorization: `Bearer ${other}` };
    const own = await server.call('POST', '/ip_policies', { body: { description: 'other' }, headers });
    expect([own.status, own.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const long = await post('/ip_policies', 'x'.repeat(256), {});
    const empty = await post('/ip_policies', '', {});
    expect([long.status, empty.status]).toEqual([400, 400]);
    expect(empty.body).toMatchObject({
      msg: "The header 'Idempotency-Key' must have 1 to 255 printable ASCII characters.",
    });
  });

  it('adds an event source once, whatever `If-Match` says by then', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const destination = textOf(
      await post('/event_destinations', 'destination', { format: 'json', target: { stdout: {} } }),
      'id',
    );
    const sources = [{ type: 'ip_policy_created.v0' }];
    const subscription = await post('/event_subscriptions', 'subscription', {
      sources,
      destination_ids: [destination],
    });
    const path = `/event_subscriptions/${textOf(subscription, 'id')}/sources`;
    const headers = { 'idempotency-key': 'source', 'if-match': '"1"' };
    const add = () => server.call('POST', path, { body: { type: 'ip_policy_updated.v0' }, headers });
    const [first, again] = [await add(), await add()];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  });

  it('returns the token of an API key again, which is stored encrypted', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const made = await post('/api_keys', 'key', { description: 'ci' });
    expect((await post('/api_keys', 'key', { description: 'ci' })).text).toBe(made.text);
    const token = textOf(made, 'token');
    expect(token).toMatch(/^\w{20,}/);
    if (database.startsWith('postgres')) return;
    for (const file of [database, `${database}-wal`]) expect(readFileSync(file).includes(token)).toBe(false);
  });
});

describe.each(DATABASES)('answers kept on %s', (_, database) => {
  it('are forgotten after their time, so that their keys can be used again', async context => {
    if (database === undefined) return context.skip('PostgreSQL is not installed');
    const clock = { now: 1_000_000 };
    const store = await openStore(database, () => clock.now);
    await createKey(store, { description: 'x', scopes: ['read'], expiresAt: undefined });
    const answer = { fingerprint: 'f', status: 201, body: '{}', revision: 1 };
    const reserve = async (since: number) => await store.write(writer => writer.reserveAnswer('key', since));
    await store.write(async writer => {
      expect(await writer.reserveAnswer('key', 0)).toBeUndefined();
      await writer.keepAnswer('key', answer);
    });
    expect(await reserve(1_000_000)).toEqual(answer);
    clock.now = 2_000_000;
    expect(await reserve(1_000_001)).toBeUndefined();
    await store.close();
  });
});
