import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, type ClientOptions, createClient, type Result } from './client.ts';
import { OPERATION_IDS } from './contract/operations.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Handler = (request: Seen, response: ServerResponse) => void;

let server: Server;
let seen: Seen[];
let waited: number[];
let handler: Handler;

beforeEach(async () => {
  seen = [];
  waited = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    handler(one, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: origin(),
    token: 'key',
    wait: async ms => {
      waited.push(ms);
    },
    ...options,
  });
}

function answers(
  ...answers: readonly (readonly [status: number, body: unknown, headers?: Record<string, string>])[]
): Handler {
  let next = 0;
  return (_, response) => {
    const [status, body, headers = {}] = answers[Math.min(next++, answers.length - 1)]!;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
  };
}

const LIMITED = [429, { error_code: 'ERR_EDGE_226', status_code: 429, msg: 'Slow down.', details: {} }] as const;
const BROKEN = [500, { status_code: 500, msg: 'Broken.', details: {} }] as const;

async function all<T>(results: AsyncIterable<Result<T>>): Promise<Result<T>[]> {
  const found: Result<T>[] = [];
  for await (const result of results) found.push(result);
  return found;
}

describe('a client', () => {
  it('has a method for every operation', () => {
    const methods = Object.keys(client()).filter(name => name !== 'each');
    expect(methods.map(name => name.toLowerCase()).sort()).toEqual(OPERATION_IDS.map(id => id.toLowerCase()).sort());
  });

  it('sends path, headers and a body with unchanged keys', async () => {
    handler = answers([200, { add: { 'X-myHeader': 'a' } }, { 'service-operation-id': 'op_1', etag: '"1"' }]);
    const result = await client({ baseUrl: `${origin()}/api/` }).edgeRouteRequestHeadersModuleReplace(
      { edge_id: 'e/1', id: 'r 2', body: { add: { 'X-myHeader': 'a', edgeId: 'b' } } },
      { ifMatch: '"0"' },
    );
    expect(result).toEqual({
      ok: true,
      value: { add: { 'X-myHeader': 'a' } },
      status: 200,
      operationId: 'op_1',
      etag: '"1"',
    });
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      url: '/api/edges/https/e%2F1/routes/r%202/request_headers',
      body: '{"add":{"X-myHeader":"a","edgeId":"b"}}',
      headers: {
        authorization: 'Bearer key',
        'service-version': '2',
        'content-type': 'application/json',
        'if-match': '"0"',
      },
    });
  });

  it('uses the configured version header and omits the content type without a body', async () => {
    handler = answers([200, { keys: [], uri: '', next_page_uri: null }]);
    await client({ versionHeader: 'Other-Version' }).apiKeysList({ query: { limit: 5 } });
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/api_keys?limit=5', headers: { 'other-version': '2' } });
    expect(seen[0]!.headers['content-type']).toBeUndefined();
  });

  it.each([
    ['an empty response', [204, undefined]],
    ['a response with a body', [200, {}]],
  ] as const)('accepts %s to a deletion', async (_, answer) => {
    handler = answers(answer);
    expect(await client().edgesHttpsDelete({ id: 'x' })).toMatchObject({ ok: true, value: null });
  });

  it('returns an error as a value with its code, number and operation id', async () => {
    const details = { operation_id: 'op_9', field: 'hostports[0]' };
    handler = answers([400, { error_code: 'ERR_NGROK_7117', status_code: 400, msg: 'Not reserved.', details }]);
    expect(await client().edgesHttpsCreate({ body: { hostports: ['x:443'] } })).toEqual({
      ok: false,
      error: {
        kind: 'answered',
        status: 400,
        code: 'ERR_NGROK_7117',
        number: 7117,
        message: 'Not reserved.',
        details,
        operationId: 'op_9',
      },
    });
  });

  it.each([
    ['an error that is not JSON', [502, '<html>'], 'expected an error as JSON with status 502, found `<html>`'],
    ['a response that is not an object', [200, 'null'], 'expected a JSON object, found `null`'],
    ['a response without a body', [200, ''], 'expected a JSON object, found an empty body'],
    ['a list that is null', [200, { keys: null }], 'expected a list in `keys`, found `{"keys":null}`'],
  ] as const)('reports %s as malformed', async (_, answer, message) => {
    handler = answers(answer);
    const result = await client({ retries: 0 }).apiKeysList({});
    expect(result).toEqual({ ok: false, error: { kind: 'malformed', message, status: answer[0] } });
  });

  it('retries an idempotent request after the delay that the server asks for', async () => {
    handler = answers([...LIMITED, { 'retry-after': '2' }], BROKEN, [200, { enabled: true }]);
    const result = await client().edgeRouteCompressionModuleGet({ edge_id: 'e', id: 'r' });
    expect([result.ok, seen.length, waited[0]]).toEqual([true, 3, 2000]);
    expect(waited[1]).toBeGreaterThanOrEqual(200);
    expect(waited[1]).toBeLessThanOrEqual(400);
  });

  it('waits no longer than configured, whatever the server asks for', async () => {
    handler = answers([...LIMITED, { 'retry-after': '86400' }], [204, undefined]);
    await client({ maxDelayMs: 50 }).edgesTcpDelete({ id: 'x' });
    expect(waited).toEqual([50]);
  });

  it('gives up after the configured number of retries', async () => {
    handler = answers(BROKEN);
    const result = await client({ retries: 2 }).edgesTcpGet({ id: 'x' });
    expect([result.ok, seen.length]).toEqual([false, 3]);
  });

  it('never retries a creation or an update', async () => {
    handler = answers(BROKEN);
    await client().ipPoliciesCreate({ body: {} });
    await client().ipPoliciesUpdate({ id: 'x', body: {} });
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });

  it('does not retry client errors', async () => {
    handler = answers([404, { status_code: 404, msg: 'Resource not found', details: {} }]);
    const result = await client().edgesTlsGet({ id: 'x' });
    expect(seen).toHaveLength(1);
    expect(result).toMatchObject({ ok: false, error: { status: 404, code: undefined, number: undefined } });
  });

  it('distinguishes timeouts, aborted calls and lost connections', async () => {
    handler = () => undefined;
    const slow = await client({ timeoutMs: 20, retries: 0 }).edgesTlsGet({ id: 'x' });
    const aborted = await client().edgesTlsGet({ id: 'x' }, { signal: AbortSignal.abort() });
    const gone = await client({ baseUrl: 'http://127.0.0.1:1', retries: 1 }).edgesTlsGet({ id: 'x' });
    expect(
      [slow, aborted, gone].map(result => (result.ok ? '' : `${result.error.kind}: ${result.error.message}`)),
    ).toEqual([
      'timeout: no response within 20 ms',
      'aborted: the call was aborted',
      expect.stringMatching(/^network: no response: /),
    ]);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect with status %i, to another port or its own', async status => {
    const reached: string[] = [];
    const other = createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`);
      response.end('{"https_edges":[]}');
    });
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/edges/https`;
    for (const location of [elsewhere, '/elsewhere']) {
      seen.length = 0;
      handler = answers([status, '', { location }]);
      const results = [await client().edgesHttpsList({}), await client().edgesHttpsCreate({ body: { hostports: [] } })];
      const shown = URL.parse(location, origin())!.href;
      const message = `redirected to \`${shown}\`, which is not followed; an API does not redirect`;
      const error = { kind: 'redirected', message, status, location: shown };
      expect(results).toEqual([
        { ok: false, error },
        { ok: false, error },
      ]);
      expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /edges/https', 'POST /edges/https']);
    }
    other.close();
    expect(reached).toEqual([]);
  });

  it('asks caches on the way for what the server has now', async () => {
    handler = answers([200, { id: 'x' }]);
    await client().edgesTlsGet({ id: 'x' });
    expect(seen[0]!.headers['cache-control']).toBe('no-cache');
  });

  it('stops waiting between attempts when the call is aborted', async () => {
    handler = answers([...LIMITED, { 'retry-after': '20' }]);
    const controller = new AbortController();
    const one = createClient({ baseUrl: origin(), token: 'key' });
    const call = one.edgesTlsGet({ id: 'x' }, { signal: controller.signal });
    while (seen.length === 0) await new Promise(resolve => setImmediate(resolve));
    controller.abort();
    expect(await call).toMatchObject({ ok: false, error: { kind: 'aborted' } });
  });

  it.each(['', '.', '..'])('rejects the identifier `%s`, which would address another resource', async id => {
    const result = await client().edgesHttpsGet({ id });
    expect(result).toEqual({
      ok: false,
      error: { kind: 'input', message: `\`id\` must be an identifier, found \`${id}\`` },
    });
    expect(seen).toEqual([]);
  });

  it('rejects a body that cannot be serialized as JSON', async () => {
    const body: Record<string, unknown> = {};
    body.self = body;
    expect(await client().ipPoliciesCreate({ body })).toMatchObject({ ok: false, error: { kind: 'input' } });
  });

  it.each([
    [{ baseUrl: 'ftp://x' }, 'baseUrl must be an http or https URL, found `ftp://x`'],
    [{ baseUrl: 'http://x/?a=1' }, 'baseUrl must have neither query nor fragment'],
    [{ token: 'a\nb' }, 'token must be visible ASCII without spaces'],
  ])('rejects the options %o', (options, message) => {
    expect(() => client(options)).toThrow(new TypeError(message));
  });
});

describe('iteration over a list', () => {
  it('yields the records of all pages, even if the server reports another address for itself', async () => {
    const next = 'https://elsewhere.example/ignored/ip_policies?before_id=b&limit=2';
    handler = answers(
      [200, { ip_policies: [{ id: 'c' }, { id: 'b' }], uri: '', next_page_uri: next }],
      [200, { ip_policies: [{ id: 'a' }], uri: '', next_page_uri: null }],
    );
    const results = await all(client().each.ipPoliciesList({ query: { limit: 2 } }));
    expect(results.map(result => result.ok && result.value.id)).toEqual(['c', 'b', 'a']);
    expect(seen.map(({ url }) => url)).toEqual(['/ip_policies?limit=2', '/ip_policies?before_id=b&limit=2']);
  });

  it('does not fetch pages that are not read', async () => {
    handler = answers([200, { ip_policies: [{ id: 'a' }], uri: '', next_page_uri: '/ip_policies?before_id=a' }]);
    for await (const result of client().each.ipPoliciesList({})) if (result.ok) break;
    expect(seen).toHaveLength(1);
  });

  it('ends with the failure of a page', async () => {
    handler = answers([200, { ip_policies: [{ id: 'a' }], uri: '', next_page_uri: '/x?before_id=a' }], BROKEN);
    const results = await all(client({ retries: 0 }).each.ipPoliciesList({}));
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('ends with a failure if pages form a cycle', async () => {
    handler = answers([200, { ip_policies: [], uri: '', next_page_uri: '/ip_policies?before_id=a' }]);
    const results = await all(client().each.ipPoliciesList({}));
    expect(results).toEqual([
      { ok: false, error: { kind: 'malformed', message: 'expected a next page, found `/ip_policies?before_id=a`' } },
    ]);
  });

  it('includes lists without pages', async () => {
    handler = answers([200, { sources: [{ type: 'x', uri: 'y' }], uri: '' }]);
    const results = await all(client().each.eventSourcesList({ subscription_id: 'esb_1' }));
    expect(results.map(result => result.ok && result.value.type)).toEqual(['x']);
  });
});
