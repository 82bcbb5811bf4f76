import type { RecordedChange } from '@tollgate/edge-server';
import { revokeKey } from '@tollgate/edge-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

/** After everything that the test records. */
const LATER = Date.parse('2999-01-01T00:00:00Z');

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.stop());

type Detail = Readonly<Record<string, unknown>>;

/** Returns the changes of a resource, oldest first. */
async function changesOf(id: string): Promise<readonly (RecordedChange & { readonly read: Detail })[]> {
  const all = await server.server.store.changes.page({ before: undefined, since: undefined, limit: 1000 });
  const found = all.filter(({ resourceId }) => resourceId === id).toReversed();
  return found.map(change => ({ ...change, read: JSON.parse(change.detail) as Detail }));
}

it('records each change with its key, address and request, and what it was before and after', async () => {
  const made = await server.call('POST', '/edges/https', {
    body: { description: 'first', hostports: ['a.example:443'] },
  });
  const path = `/edges/https/${textOf(made, 'id')}`;
  await server.call('PATCH', path, { body: { description: 'second' } });
  await server.call('PUT', `${path}/tls_termination`, { body: { min_version: '1.3' } });
  await server.call('PATCH', path, { body: { hostports: ['no port'] } });
  await server.call('PATCH', `/_tollgate/validate${path}`, { body: { description: 'tried' } });
  await server.call('DELETE', path);
  const changes = await changesOf(textOf(made, 'id'));
  expect(changes.map(({ operation, read }) => [operation, read])).toEqual([
    [
      'EdgesHttpsCreate',
      { before: null, after: expect.objectContaining({ description: 'first', hostports: ['a.example:443'] }) },
    ],
    ['EdgesHttpsUpdate', { before: { description: 'first' }, after: { description: 'second' } }],
    [
      'HttpsEdgeTlsTerminationModuleReplace',
      {
        before: { tls_termination: null },
        after: { tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' } },
      },
    ],
    ['EdgesHttpsDelete', { before: expect.objectContaining({ description: 'second' }), after: null }],
  ]);
  const [key] = (await server.call('GET', '/api_keys')).body ? [`ak_${server.token.split('_')[0]}`] : [];
  for (const change of changes) {
    expect(change).toMatchObject({ keyId: key, address: '127.0.0.1', requestId: expect.stringMatching(/^op_/) });
    expect(server.log.some(line => line.includes(change.requestId!) && line.includes('"address":"127.0.0.1"'))).toBe(
      true,
    );
  }
});

it('records that secrets were replaced, without them', async () => {
  const body = { format: 'json', target: { http: { url: 'https://a.example.com/token-1', secret: 'hush-1' } } };
  const made = await server.call('POST', '/event_destinations', { body });
  const path = `/event_destinations/${textOf(made, 'id')}`;
  await server.call('PATCH', path, { body: { description: 'same secrets' } });
  const target = {
    http: { url: 'https://a.example.com/token-1', secret: 'hush-2', headers: { authorization: 'hush-3' } },
  };
  await server.call('PATCH', path, { body: { target } });
  const changes = await changesOf(textOf(made, 'id'));
  expect(changes.map(({ read }) => read.secrets)).toEqual([
    undefined,
    undefined,
    ['/target/http/secret', '/target/http/headers/authorization'],
  ]);
  expect(changes.map(({ detail }) => detail).join()).not.toMatch(/hush|token-1|sealed/);
});

it('records keys that commands create and revoke', async () => {
  const token = await server.keyFor(['read']);
  const id = `ak_${token.split('_')[0]}`;
  await revokeKey(server.server.store, id);
  const who = { keyId: null, address: null, requestId: null };
  expect(await changesOf(id)).toMatchObject([
    { operation: 'ApiKeysCreate', ...who, read: { after: { description: 'test', scopes: ['read'] } } },
    { operation: 'ApiKeysDelete', ...who, read: { before: { description: 'test' }, after: null } },
  ]);
});

it('is read in pages, and forgets what is old', async () => {
  const { changes } = server.server.store;
  const all = await changes.page({ before: undefined, since: undefined, limit: 1000 });
  const [first, second] = [await changes.page({ before: undefined, since: 0, limit: 2 }), all.slice(2, 4)];
  expect(await changes.page({ before: first.at(-1)!.seq, since: undefined, limit: 2 })).toEqual(second);
  expect(await changes.page({ before: undefined, since: LATER, limit: 2 })).toEqual([]);
  expect(await changes.trim(0)).toBe(0);
  expect(await changes.trim(LATER)).toBe(all.length);
});

it('serves the record to administrators, in pages, by time and key, without secrets', async () => {
  const token = await server.keyFor(['write']);
  const headers = { authorization: `Bearer ${token}` };
  const key = `ak_${token.split('_')[0]}`;
  const body = { format: 'json', target: { http: { url: 'https://a.example.com/token-1', secret: 'hush-9' } } };
  const made = await server.call('POST', '/event_destinations', { body, headers });
  for (const description of ['one', 'two'])
    await server.call('PATCH', `/event_destinations/${textOf(made, 'id')}`, { body: { description }, headers });
  const get = async (path: string) => {
    const { status, body } = await server.call('GET', path);
    return { status, ...(body as { changes: readonly Detail[]; uri: string; next_page_uri: string | null }) };
  };
  const first = await get(`/_tollgate/changes?limit=2&key=${key}`);
  expect(first.changes.map(({ operation, key: by, before, after }) => [operation, by, before, after])).toEqual([
    ['EventDestinationsUpdate', key, { description: 'one' }, { description: 'two' }],
    ['EventDestinationsUpdate', key, { description: '' }, { description: 'one' }],
  ]);
  expect(first.next_page_uri).toMatch(/^http:.*\/_tollgate\/changes\?limit=2&key=ak_\w+&before=\d+$/);
  const second = await get(first.next_page_uri!.replace(server.url, ''));
  expect([second.changes.map(({ operation }) => operation), second.next_page_uri]).toEqual([
    ['EventDestinationsCreate'],
    null,
  ]);
  expect(JSON.stringify([first, second])).not.toMatch(/hush|token-1|sealed/);
  const { changes } = await get('/_tollgate/changes?since=2999-01-01T00:00:00Z');
  expect(changes).toEqual([]);
  const all = await server.server.store.changes.page({ before: undefined, since: undefined, limit: 100 });
  expect((await get('/_tollgate/changes')).changes.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
});

it('refuses the record to other keys, wrong queries and other methods', async () => {
  const limited = await server.keyFor(['admin'], undefined, ['edghts_1']);
  const status = async (method: string, query: string, token = server.token) => {
    const { status, body } = await server.call(method, `/_tollgate/changes${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [status, (body as { readonly error_code?: string } | undefined)?.error_code?.replace(/^\D+/, '')];
  };
  expect([
    await status('GET', '', await server.keyFor(['read', 'write'])),
    await status('GET', '', limited),
    await status('GET', '', 'nobody'),
    await status('GET', '?filter=true'),
    await status('GET', '?limit=1&limit=2'),
    await status('GET', '?limit=x'),
    await status('GET', '?limit=101'),
    await status('GET', '?before=x'),
    await status('GET', '?since=yesterday'),
    await status('POST', ''),
  ]).toEqual([
    [403, '205'],
    [403, undefined],
    [403, '202'],
    [400, '231'],
    [400, '232'],
    [400, '244'],
    [400, '233'],
    [400, '230'],
    [400, '241'],
    [405, undefined],
  ]);
});
