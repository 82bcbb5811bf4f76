import assert from 'node:assert/strict';
import { exampleId, OPERATION_IDS, operationOf } from '@tollgate/edge-api';
import type { Answer, ApiFixture } from '../api-fixture.ts';
import { assertError, type ServerCase } from '../server-case.ts';

/** The claims about requests and responses of any kind. */
export const WIRE_CASES: readonly ServerCase[] = [
  wire(
    'unrouted',
    'B 1.1',
    'answers a path that nothing is at with 404 and the path, before it asks for a key',
    async api => {
      const answer = await api.send('GET', '/nothing/here', { headers: { authorization: null } });
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, { status_code: 404, msg: 'Not Found', details: { path: '/nothing/here' } });
    },
  ),
  wire(
    'wrong-method',
    'extension',
    'answers a verb that a path does not have with 405 and those that it has',
    async api => {
      const answer = await api.send('PUT', '/edges/https', { headers: { authorization: null } });
      assert.deepEqual(answer.body, { status_code: 405, msg: 'Method Not Allowed', details: { path: '/edges/https' } });
      assert.equal(answer.headers.get('allow'), 'POST, GET, HEAD');
    },
  ),
  wire('unrouted', 'B 1.1', 'answers so whatever the content type is', async api => {
    const answer = await api.send('DELETE', '/nothing', { headers: { 'content-type': 'x' } });
    assert.deepEqual(answer.body, { status_code: 404, msg: 'Not Found', details: { path: '/nothing' } });
  }),
  wire('no-route-list', 'B 1.1', 'has no list of routes but the one in their edge', async api => {
    const { id } = await api.make('https_edge');
    const answer = await api.send('GET', `/edges/https/${id}/routes`);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
  }),
  wire('key-scheme', 'B 2.5', 'refuses a header of another scheme with 201', async api => {
    assertError(await api.call('ApiKeysList', { headers: { authorization: 'Digest a' } }), 403, 201);
  }),
  wire('key-form', 'B 2.5', 'refuses what does not look like a key with 202, and does not repeat it', async api => {
    const answer = await api.call('ApiKeysList', { headers: { authorization: 'Bearer hunter2hunter2' } });
    assertError(answer, 403, 202);
    assert.ok(!answer.text.includes('hunter2hunter2'), answer.text);
  }),
  wire('key-id', 'B 2.2', 'refuses the id of a key with 208', async api => {
    assertError(
      await api.call('ApiKeysList', { headers: { authorization: `Bearer ${exampleId('api_key')}` } }),
      403,
      208,
    );
  }),
  wire('key-unknown', 'B 2.5', 'refuses a key that it does not know with 203', async api => {
    const token = `${exampleId('api_key').slice(3)}_6Jxvym7aMW1jc41HTLpAc`;
    assertError(await api.call('ApiKeysList', { headers: { authorization: `Bearer ${token}` } }), 403, 203);
  }),
  wire('key-revoked', 'B 2.5', 'takes a new key, and refuses it with 203 after its deletion', async api => {
    const { path, body } = await api.make('api_key');
    const headers = { authorization: `Bearer ${String(body.token)}` };
    assert.equal((await api.call('IpPoliciesList', { headers })).status, 200);
    await api.call('ApiKeysDelete', { path });
    assertError(await api.call('IpPoliciesList', { headers }), 403, 203);
  }),
  wire('key-basic', 'B 1.1', 'takes a key by the Basic scheme', async api => {
    const authorization = `Basic ${Buffer.from(`${api.server.token}:`).toString('base64')}`;
    const answer = await api.call('ApiKeysList', { headers: { authorization } });
    assert.equal(answer.status, 200, answer.text);
  }),
  wire('version-other', 'B 2.5', 'refuses another version with 217', async api => {
    assertError(await api.call('ApiKeysList', { headers: { 'service-version': '1' } }), 400, 217);
  }),
  wire(
    'order-of-checks',
    'B 2.5',
    'asks for the key before the version, and for both before it reads the query',
    async api => {
      const headers = { authorization: null, 'service-version': null };
      assertError(await api.call('ApiKeysList', { headers, query: 'surprise=1' }), 403, 200);
      assertError(
        await api.call('ApiKeysList', { headers: { 'service-version': null }, query: 'surprise=1' }),
        400,
        218,
      );
    },
  ),
  wire('content-type', 'B 8.7', 'takes a content type on requests without a body', async api => {
    const headers = { 'content-type': 'application/json' };
    assert.equal((await api.call('ApiKeysList', { headers })).status, 200);
    const { path } = await api.make('ip_policy');
    assert.equal((await api.call('IpPoliciesDelete', { path, headers })).status, 204);
  }),
  wire('content-type', 'B 1.1', 'takes a content type with a charset', async api => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    assert.equal((await api.call('IpPoliciesCreate', { body: {}, headers })).status, 201);
  }),
  wire('unreadable', 'B 2.5', 'refuses a body that is not UTF-8 with 212', async api => {
    assertError(await api.call('IpPoliciesCreate', { raw: Buffer.from([0x7b, 0xff, 0x7d]) }), 400, 212);
  }),
  wire('unreadable', 'B 2.5', 'refuses a query that cannot be decoded with 230', async api => {
    assertError(await api.call('IpPoliciesList', { query: 'limit=%zz' }), 400, 230);
  }),
  wire(
    'scopes',
    'extension',
    'refuses what a key has no scope for with 205: one made by the API manages no keys',
    async api => {
      const { body } = await api.make('api_key');
      const headers = { authorization: `Bearer ${String(body.token)}` };
      assertError(await api.call('ApiKeysList', { headers }), 403, 205);
    },
  ),
  wire('characters', 'B 2.5', 'keeps every character of a body', async api => {
    const { body } = await api.make('ip_policy', { description: 'Käse 🧀 "\\ \u0001' });
    assert.equal(body.description, 'Käse 🧀 "\\ \u0001');
  }),
  wire('body-limit', 'B 10.1', 'refuses a body over the limit with 413', async api => {
    const answer = await api.call('IpPoliciesCreate', { raw: `{"metadata":"${'x'.repeat(2_000_000)}"}` });
    assertError(answer, 413, null);
  }),
  wire('double-slash', 'B 8.7', 'finds a path with slashes doubled', async api => {
    assert.equal((await api.send('GET', '//edges/https')).status, 200);
  }),
  wire('page-order', 'B 2.1', 'lists the newest first', async api => {
    const ids = [await api.make('ip_policy'), await api.make('ip_policy'), await api.make('ip_policy')].map(
      ({ id }) => id,
    );
    const listed = idsOf(await api.call('IpPoliciesList', { query: 'limit=3' }), 'ip_policies');
    assert.deepEqual(listed, ids.toReversed());
  }),
  wire('page-next', 'B 2.1', 'names the next page by an absolute URI, and no page after the last', async api => {
    const { listed, pages } = await allPages(api, 'limit=50');
    assert.equal(new Set(listed).size, listed.length);
    assert.ok(pages >= 1);
  }),
  wire('page-next', 'B 2.1', 'gives the same records in pages of two as in one page', async api => {
    const wanted = [await api.make('ip_policy'), await api.make('ip_policy'), await api.make('ip_policy')].map(
      ({ id }) => id,
    );
    const first = (await api.call('IpPoliciesList', { query: 'limit=2' })).body as { readonly next_page_uri: string };
    const next = new URL(first.next_page_uri);
    const second = await api.send('GET', `${next.pathname}${next.search}`);
    const both = [...idsOf({ body: first }, 'ip_policies'), ...idsOf(second, 'ip_policies')];
    assert.deepEqual(both.slice(0, 3), wanted.toReversed());
  }),
  wire('page-before', 'B 1.7', 'lists what is before an identifier, although its record is gone', async api => {
    const older = await api.make('ip_policy');
    const newer = await api.make('ip_policy');
    await api.call('IpPoliciesDelete', { path: newer.path });
    for (const name of ['before_id', 'beforeId']) {
      const answer = await api.call('IpPoliciesList', { query: `${name}=${newer.id}&limit=1` });
      assert.deepEqual(idsOf(answer, 'ip_policies'), [older.id]);
    }
  }),
  wire('page-end', 'B 2.1', 'answers a page after the last record with an empty list', async api => {
    const answer = await api.call('IpPoliciesList', { query: `before_id=ipp_${'0'.repeat(27)}` });
    assert.deepEqual(answer.body, { ip_policies: [], uri: `${api.server.baseUrl}/ip_policies`, next_page_uri: null });
  }),
  wire('list-keys', 'B 1.4', 'names every list by its own key, and never answers null for it', async api => {
    const lists = OPERATION_IDS.filter(id => operationOf(id).kind === 'list' && operationOf(id).paged);
    for (const id of lists) {
      const { body } = await api.call(id);
      const { listKey = '' } = operationOf(id);
      assert.ok(Array.isArray((body as Readonly<Record<string, unknown>>)[listKey]), id);
    }
    assert.equal(lists.length, 18);
  }),
  wire(
    'etag',
    'extension',
    'refuses a change that is meant for another state with 412, and takes one for this state',
    async api => {
      const { path } = await api.make('ip_policy');
      const etag = (await api.call('IpPoliciesGet', { path })).headers.get('etag');
      assert.ok(etag !== null);
      const change = (headers: Readonly<Record<string, string>>) =>
        api.call('IpPoliciesUpdate', { path, body: { metadata: 'x' }, headers });
      assert.equal((await change({ 'if-match': etag })).status, 200);
      assertError(await change({ 'if-match': etag }), 412, null);
      assert.equal((await change({})).status, 200);
    },
  ),
];

function wire(row: string, source: string, claim: string, run: ServerCase['run']): ServerCase {
  return { name: `the server ${claim}`, row: `wire ${row}`, source, run };
}

function idsOf({ body }: Pick<Answer, 'body'>, key: string): readonly string[] {
  return (body as Readonly<Record<string, readonly { readonly id: string }[]>>)[key]!.map(({ id }) => id);
}

async function allPages(api: ApiFixture, query: string): Promise<{ listed: readonly string[]; pages: number }> {
  const listed: string[] = [];
  let pages = 0;
  let path: string | null = `/ip_policies?${query}`;
  while (path !== null && pages < 1000) {
    const answer: Answer = await api.send('GET', path);
    const { next_page_uri: next } = answer.body as { readonly next_page_uri: string | null };
    listed.push(...idsOf(answer, 'ip_policies'));
    if (next !== null) assert.ok(next.startsWith(`${api.server.baseUrl}/ip_policies?`), next);
    path = next === null ? null : next.slice(api.server.baseUrl.length);
    pages++;
  }
  return { listed, pages };
}
