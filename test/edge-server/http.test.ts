import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ maxBodyBytes: 2048 });
});

afterAll(() => server.stop());

function errorOf({ status, body }: { readonly status: number; readonly body: unknown }) {
  return [status, (body as { error_code?: string }).error_code];
}

/** Waits until the server has the head of a request that expects to be told so. */
async function continued(socket: Socket): Promise<void> {
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
}

/** How many requests are being answered. */
async function inFlight({ url }: TestServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^tollgate_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
}

describe('requests', () => {
  it.each([
    ['without a key', {}, { authorization: '' }, [403, 'ERR_EDGE_200']],
    ['with another scheme', {}, { authorization: 'Digest x' }, [403, 'ERR_EDGE_201']],
    ['with what is no key', {}, { authorization: 'Bearer x' }, [403, 'ERR_EDGE_202']],
    ['with an unknown key', {}, { authorization: `Bearer ${'1'.repeat(27)}_${'2'.repeat(21)}` }, [403, 'ERR_EDGE_203']],
    ['with the id of a key', {}, { authorization: `Bearer ak_${'1'.repeat(27)}` }, [403, 'ERR_EDGE_208']],
    ['without a version', {}, { 'service-version': '' }, [400, 'ERR_EDGE_217']],
    ['of another version', {}, { 'service-version': '1' }, [400, 'ERR_EDGE_217']],
    ['of another type', {}, { 'content-type': 'text/plain' }, [415, 'ERR_EDGE_210']],
    ['in another encoding', {}, { 'content-type': 'application/json; charset=latin1' }, [415, 'ERR_EDGE_210']],
    ['that are compressed', {}, { 'content-encoding': 'gzip' }, [400, 'ERR_EDGE_212']],
    ['that are no JSON', '{', {}, [400, 'ERR_EDGE_213']],
    ['that are no object', '[]', {}, [400, 'ERR_EDGE_213']],
    ['that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, [400, 'ERR_EDGE_212']],
    ['that are too large', { metadata: 'x'.repeat(3000) }, {}, [413, undefined]],
  ])('%s are refused', async (_, body, headers, expected) => {
    expect(errorOf(await server.call('POST', '/edges/https', { body, headers }))).toEqual(expected);
  });

  it('that are too large are told how large they may be', async () => {
    const answer = await server.call('POST', '/edges/https', { body: { metadata: 'x'.repeat(3000) } });
    expect(answer.body).toMatchObject({ status_code: 413, details: { limit: '2048' } });
  });

  it.each([
    ['what is no HTTP', 'GARBAGE\r\n\r\n', 400, 'The request is not valid HTTP.'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'The request headers are too large.',
    ],
  ])('that are %s are answered in the shape of all errors', async (_, bytes, status, msg) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toEqual({ status_code: status, msg, details: {} });
  });

  it('that a client gives up are none of the errors that the log holds', async () => {
    const logged = () => server.log.filter(line => line.includes('request failed')).length;
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const head = ['POST /edges/https HTTP/1.1', 'host: x', `authorization: Bearer ${server.token}`];
    const rest = ['service-version: 2', 'content-type: application/json', 'content-length: 20'];
    socket.write([...head, ...rest, 'expect: 100-continue', '', '{}'].join('\r\n'));
    await continued(socket);
    expect(await inFlight(server)).toBe(1);
    socket.destroy();
    await eventually(async () => (await inFlight(server)) === 0);
    expect(logged()).toBe(0);
  });

  it('without the version header are refused', async () => {
    const answer = await fetch(`${server.url}/edges/https`, { headers: { authorization: `Bearer ${server.token}` } });
    expect(await answer.json()).toMatchObject({ error_code: 'ERR_EDGE_218', status_code: 400 });
  });

  it('to nowhere are told so before anything else, in every method', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PROPFIND', '/edges/ftp'],
      ['PATCH', '/_tollgate/validate/edges/ftp'],
      ['GET', '/edges/https/%zz'],
    ] as const) {
      const answer = await fetch(`${server.url}${path}`, { method });
      expect([method, answer.status, await answer.json()]).toEqual([
        method,
        404,
        { status_code: 404, msg: 'Not Found', details: { path } },
      ]);
    }
  });

  it('may have slashes twice, the key as a user name, and a content type without a body', async () => {
    const basic = `Basic ${Buffer.from(`${server.token}:`).toString('base64')}`;
    const headers = { authorization: basic, 'content-type': 'application/json' };
    expect((await server.call('GET', '//edges/https', { headers })).status).toBe(200);
  });

  it('with a body where none is expected are refused', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      'GET /edges/https HTTP/1.1',
      'host: x',
      `authorization: Bearer ${server.token}`,
      'service-version: 2',
    ];
    socket.end([...head, 'content-length: 2', 'connection: close', '', '{}'].join('\r\n'));
    expect(await text(socket)).toContain('ERR_EDGE_211');
  });

  it('have an identifier, in a header and in errors', async () => {
    const { headers, body } = await server.call('GET', '/edges/https/x');
    const id = headers.get('service-operation-id');
    expect(id).toMatch(/^op_[0-9A-Za-z]{27}$/);
    expect(body).toMatchObject({ details: { operation_id: id } });
  });
});

describe('keys', () => {
  it('may do what their scopes say, until they expire', async () => {
    const as = async (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const reader = await as(await server.keyFor(['read']));
    const writer = await as(await server.keyFor(['read', 'write']));
    const expired = await as(await server.keyFor(['read'], Date.now() - 1));
    expect((await server.call('GET', '/edges/tcp', reader)).status).toBe(200);
    expect(errorOf(await server.call('POST', '/edges/tcp', { ...reader, body: {} }))).toEqual([403, 'ERR_EDGE_205']);
    expect((await server.call('POST', '/edges/tcp', { ...writer, body: {} })).status).toBe(201);
    expect(errorOf(await server.call('GET', '/api_keys', writer))).toEqual([403, 'ERR_EDGE_205']);
    expect(errorOf(await server.call('GET', '/edges/tcp', expired))).toEqual([403, 'ERR_EDGE_203']);
  });

  it('made through the API work, and not any more once they are deleted there', async () => {
    const made = await server.call('POST', '/api_keys', { body: { description: 'deploy' } });
    const headers = { authorization: `Bearer ${textOf(made, 'token')}` };
    expect((await server.call('GET', '/edges/tcp', { headers })).status).toBe(200);
    await server.call('DELETE', `/api_keys/${textOf(made, 'id')}`);
    expect(errorOf(await server.call('GET', '/edges/tcp', { headers }))).toEqual([403, 'ERR_EDGE_203']);
  });
});

describe('keys with limits', () => {
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const policy = { inbound: [{ name: 'n', expressions: [], actions: [{ type: 'deny' }] }] };

  it('of the scope `policy` change policies of edges, and nothing else', async () => {
    const key = as(await server.keyFor(['read', 'policy']));
    const edge = `/edges/tcp/${textOf(await server.call('POST', '/edges/tcp', { body: {} }), 'id')}`;
    expect((await server.call('PUT', `${edge}/policy`, { ...key, body: policy })).status).toBe(200);
    expect((await server.call('GET', `${edge}/traffic_policy`, key)).status).toBe(200);
    expect((await server.call('DELETE', `${edge}/traffic_policy`, key)).status).toBe(204);
    for (const [method, path] of [
      ['PATCH', edge],
      ['DELETE', edge],
      ['DELETE', `${edge}/backend`],
      ['POST', '/edges/tcp'],
      ['PUT', `/_tollgate/validate${edge}/backend`],
    ] as const) {
      expect(errorOf(await server.call(method, path, { ...key, body: {} }))).toEqual([403, 'ERR_EDGE_205']);
    }
  });

  it('use only the edges that they are limited to, and see no others', async () => {
    const edges = await Promise.all([1, 2].map(() => server.call('POST', '/edges/https', { body: {} })));
    const [own = '', other = ''] = edges.map(edge => textOf(edge, 'id'));
    const key = as(await server.keyFor(['read', 'write', 'admin'], undefined, [own]));
    const body = { match_type: 'path_prefix', match: '/' };
    const route = await server.call('POST', `/edges/https/${own}/routes`, { ...key, body });
    expect(route.status).toBe(201);
    const path = `/edges/https/${own}/routes/${textOf(route, 'id')}`;
    expect((await server.call('PUT', `${path}/policy`, { ...key, body: policy })).status).toBe(200);
    const listed = (await server.call('GET', '/edges/https', key)).body as { https_edges: { id: string }[] };
    expect(listed.https_edges.map(({ id }) => id)).toEqual([own]);
    expect((await server.call('GET', '/edges/tcp', key)).body).toMatchObject({ tcp_edges: [], next_page_uri: null });
    for (const [method, at] of [
      ['GET', `/edges/https/${other}`],
      ['PATCH', `/edges/https/${other}`],
      ['PATCH', `/_tollgate/validate/edges/https/${other}`],
      ['POST', `/edges/https/${other}/routes`],
      ['GET', `/edges/https/${other}/routes/${textOf(route, 'id')}`],
      ['POST', '/edges/https'],
      ['POST', '/edges/tcp'],
      ['GET', '/ip_policies'],
      ['POST', '/backends/static'],
      ['GET', '/event_destinations'],
      ['GET', '/api_keys'],
      ['POST', '/api_keys'],
    ] as const) {
      const answer = await server.call(method, at, method === 'GET' ? key : { ...key, body: {} });
      expect([method, at, answer.status, answer.text]).toEqual([
        method,
        at,
        403,
        expect.stringContaining('limited to some edges'),
      ]);
    }
  });

  it('that may manage keys may do everything else, too', async () => {
    const key = as(await server.keyFor(['admin']));
    for (const path of ['/api_keys', '/edges/https']) {
      expect((await server.call('GET', path, key)).status).toBe(200);
      expect((await server.call('POST', path, { ...key, body: {} })).status).toBe(201);
    }
  });
});

describe('entity tags', () => {
  it('change with a record and what belongs to it, and bind changes', async () => {
    const made = await server.call('POST', '/edges/https', { body: {} });
    const path = `/edges/https/${textOf(made, 'id')}`;
    const first = made.headers.get('etag')!;
    await server.call('POST', `${path}/routes`, { body: { match_type: 'exact_path', match: '/' } });
    const second = (await server.call('GET', path)).headers.get('etag')!;
    expect(second).not.toBe(first);
    const change = (etag: string) =>
      server.call('PATCH', path, { body: { description: etag }, headers: { 'if-match': etag } });
    expect((await change(first)).body).toMatchObject({
      status_code: 412,
      msg: 'The resource has changed in the meantime.',
    });
    for (const empty of ['', ' ', ', ,']) {
      expect((await change(empty)).body).toMatchObject({
        status_code: 400,
        msg: "The header 'If-Match' is empty; send an entity tag, or '*' for any.",
      });
    }
    expect((await change(`"0", ${second}`)).status).toBe(200);
    expect((await server.call('DELETE', path, { headers: { 'if-match': second } })).status).toBe(412);
    expect((await server.call('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204);
  });
});

describe('dry runs', () => {
  const POLICY = { inbound: [{ expressions: ["req.Method == 'POST'"], actions: [{ type: 'deny' }] }] };

  it('tell what would be answered, and change nothing', async () => {
    const made = await server.call('POST', '/edges/https', { body: { hostports: ['dry.example:443'] } });
    const path = `/edges/https/${textOf(made, 'id')}`;
    const run = await server.call('PATCH', `/_tollgate/validate${path}`, { body: { description: 'new' } });
    expect(run.body).toMatchObject({ valid: true, status_code: 200, answer: { description: 'new' }, diagnostics: [] });
    const again = await server.call('POST', '/_tollgate/validate/edges/https', {
      body: { hostports: ['dry.example:443'] },
    });
    expect(errorOf(again)).toEqual([400, 'ERR_EDGE_7122']);
    const gone = await server.call('DELETE', `/_tollgate/validate${path}`);
    expect(gone.body).toEqual({ valid: true, status_code: 204, answer: null, diagnostics: [] });
    expect((await server.call('GET', path)).body).toEqual(made.body);
  });

  it('tell doubts about a policy, with their places in the body', async () => {
    const made = await server.call('POST', '/edges/https', { body: {} });
    const route = { match_type: 'exact_path', match: '/', policy: { enabled: false, ...POLICY } };
    const path = `/_tollgate/validate/edges/https/${textOf(made, 'id')}/routes`;
    const { body, status } = await server.call('POST', path, { body: route });
    expect(status).toBe(200);
    const { diagnostics } = body as { diagnostics: { severity: string; uri: string }[] };
    expect(diagnostics.every(({ severity, uri }) => severity !== 'error' && uri === 'body')).toBe(true);
  });
});

describe('policies', () => {
  it('are refused with the diagnostics of the command line, at their places in the body', async () => {
    const made = await server.call('POST', '/edges/tcp', { body: {} });
    const body =
      '{ "module": { "inbound": [ { "actions": [{"type":"deny"}], "expressions": ["conn.ClientIPP == 1"] } ] } }';
    const { body: answer } = await server.call('PUT', `/edges/tcp/${textOf(made, 'id')}/policy`, { body });
    expect(answer).toMatchObject({
      error_code: 'ERR_EDGE_2200',
      details: { field: 'module.inbound[0].expressions[0]' },
    });
    const { details } = answer as { details: { diagnostics: string } };
    const [first] = JSON.parse(details.diagnostics);
    expect(first).toMatchObject({ code: 'name/undeclared-field', severity: 'error', uri: 'body' });
    expect(body.slice(first.range.start, first.range.end)).toBe('ClientIPP');
  });
});

describe('a policy in a text', () => {
  it('that says more than `/policy` can is null in its record, and an error there', async () => {
    const made = await server.call('POST', '/edges/tcp', { body: {} });
    const path = `/edges/tcp/${textOf(made, 'id')}`;
    const value = 'on_tcp_connect:\n  - actions:\n      - type: deny\n';
    expect((await server.call('PUT', `${path}/traffic_policy`, { body: { value } })).body).toEqual({
      enabled: true,
      value,
    });
    expect((await server.call('GET', path)).body).toMatchObject({ policy: null });
    expect(errorOf(await server.call('GET', `${path}/policy`))).toEqual([400, 'ERR_EDGE_9026']);
    const simple = 'inbound:\n  - actions:\n      - type: deny # everybody\n';
    await server.call('PUT', `${path}/traffic_policy`, { body: { enabled: false, value: simple } });
    const rules = [{ name: '', expressions: [], actions: [{ type: 'deny', config: null }] }];
    const policy = { enabled: false, inbound: rules, outbound: null };
    expect((await server.call('GET', `${path}/policy`)).body).toEqual(policy);
    expect((await server.call('GET', path)).body).toMatchObject({ policy });
  });
});

describe('what is beside the API', () => {
  it('says that the server lives, is ready, and what it has done', async () => {
    const get = async (path: string) => await (await fetch(`${server.url}${path}`)).text();
    expect([await get('/healthz'), await get('/readyz')]).toEqual(['{"status":"ok"}', '{"status":"ready"}']);
    const head = async (path: string) => (await fetch(`${server.url}${path}`, { method: 'HEAD' })).status;
    expect([await head('/healthz'), await head('/readyz'), await head('/edges/ftp')]).toEqual([200, 200, 404]);
    await server.call('GET', '/edges/tls');
    const metrics = await get('/metrics');
    expect(metrics).toContain('tollgate_http_requests_total{operation="EdgesTlsList",status="200"} 1');
    expect(metrics).toMatch(/^tollgate_events_pending 0$/m);
    expect(metrics).toMatch(/^tollgate_database_connections\{state="idle"\} 1$/m);
    expect(metrics).toMatch(/^tollgate_database_waiting 0$/m);
    expect(metrics).toMatch(/^# TYPE tollgate_event_delivery_duration_seconds histogram$/m);
    expect(metrics).toMatch(/^tollgate_build_info\{version="unknown",node="v\d+[.\d]+"\} 1$/m);
    expect(JSON.parse(await get('/openapi.json')).openapi).toBe('3.1.0');
    expect(await get('/docs')).toContain('<!doctype html>');
  });
});

describe('a server that is told to stop', () => {
  it('answers the requests that have begun, and takes no more', async () => {
    const other = await startTestServer({ shutdownTimeout: 3600 });
    const { port } = new URL(other.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /edges/tcp HTTP/1.1', 'host: x', `authorization: Bearer ${other.token}`, 'service-version: 2'];
    // The server says that it has begun to read.
    const more = ['content-type: application/json', 'content-length: 2', 'expect: 100-continue', 'connection: close'];
    socket.write([...head, ...more, '', ''].join('\r\n'));
    await once(socket, 'readable');
    expect(String(socket.read())).toContain('100 Continue');
    socket.write('{');
    const stopping = other.stop();
    await eventually(() =>
      fetch(`${other.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    socket.write('}');
    expect(await text(socket)).toContain('HTTP/1.1 201 Created');
    await stopping;
  });

  // The limit is an hour: each of these ends because the connections close by themselves.
  describe('closes at once', () => {
    const head = (token: string, ...fields: string[]) =>
      ['POST /edges/tcp HTTP/1.1', 'host: x', `authorization: Bearer ${token}`, 'service-version: 2', ...fields].join(
        '\r\n',
      );

    it('a connection that is kept alive, after the response to its last request', async () => {
      const other = await startTestServer({ shutdownTimeout: 3600 });
      const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
      const fields = ['content-type: application/json', 'content-length: 2', 'expect: 100-continue', '', ''];
      socket.write(head(other.token, ...fields));
      await continued(socket);
      const stopping = other.stop();
      await eventually(() =>
        fetch(`${other.url}/healthz`).then(
          () => false,
          () => true,
        ),
      );
      socket.write('{}');
      const answer = await text(socket);
      expect(answer).toContain('HTTP/1.1 201 Created');
      expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
      await stopping;
    });

    it('a connection that is idle between requests', async () => {
      const other = await startTestServer({ shutdownTimeout: 3600 });
      const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(String((await once(socket, 'data'))[0])).toContain('Connection: keep-alive');
      await other.stop();
      expect(await text(socket)).toBe('');
    });

    it('a connection that was opened in advance and never used', async () => {
      const other = await startTestServer({ shutdownTimeout: 3600 });
      const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
      await once(socket, 'connect');
      // Connections are accepted in order: after this response, the server has the first one.
      await fetch(`${other.url}/healthz`);
      await other.stop();
      expect(await text(socket)).toBe('');
    });
  });

  it('does not wait for requests longer than the limit', async () => {
    const other = await startTestServer({ shutdownTimeout: 0 });
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = ['POST /edges/tcp HTTP/1.1', 'host: x', `authorization: Bearer ${other.token}`, 'service-version: 2'];
    const rest = ['content-type: application/json', 'content-length: 2', 'expect: 100-continue', '', ''];
    socket.write([...head, ...rest].join('\r\n'));
    await continued(socket);
    await other.stop();
    socket.destroy();
  });
});

describe('settings', () => {
  it('make it answer clients of a compatible service', async () => {
    const other = await startTestServer({
      versionHeaders: ['Service-Version', 'Other-Version'],
      operationIdHeader: 'Other-Operation-Id',
      errorPrefix: 'ERR_OTHER_',
      basePath: '/v1',
      publicUrl: 'https://api.example/v1',
      answerDeletes: true,
    });
    const headers = {
      authorization: `Bearer ${other.token}`,
      'other-version': '2',
      'content-type': 'application/json',
    };
    const made = await fetch(`${other.url}/v1/edges/tcp`, { method: 'POST', headers, body: '{}' });
    const { id, uri } = (await made.json()) as { id: string; uri: string };
    expect([made.headers.get('other-operation-id')?.slice(0, 3), uri]).toEqual([
      'op_',
      `https://api.example/v1/edges/tcp/${id}`,
    ]);
    const gone = await fetch(`${other.url}/v1/edges/tcp/${id}`, { method: 'DELETE', headers });
    expect([gone.status, await gone.text()]).toEqual([200, '{}']);
    const missing = await fetch(`${other.url}/v1/edges/tcp/x`, { headers });
    expect(await missing.json()).toMatchObject({ error_code: 'ERR_OTHER_222' });
    await other.stop();
  });

  it('limit how often a key may come, and how many at a time', async () => {
    const other = await startTestServer({ rateLimit: 3 });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await other.call('GET', '/edges/tcp'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const allowances = answers.map(({ headers }) => headers.get('ratelimit')?.replace(/;t=\d+$/, ''));
    expect(allowances).toEqual(['"key";r=2', '"key";r=1', '"key";r=0', '"key";r=0']);
    expect(answers[3]!.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(errorOf(answers[3]!)).toEqual([429, 'ERR_EDGE_226']);
    expect(Number(answers[3]!.headers.get('retry-after'))).toBeGreaterThan(0);
    await other.stop();
    const narrow = await startTestServer({ maxConcurrent: 1 });
    const { port } = new URL(narrow.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /edges/tcp HTTP/1.1', 'host: x', `authorization: Bearer ${narrow.token}`, 'service-version: 2'];
    socket.write([...head, 'content-type: application/json', 'content-length: 2', '', ''].join('\r\n'));
    await eventually(async () => (await narrow.call('GET', '/edges/tcp')).status === 429);
    const crowded = await narrow.call('GET', '/edges/tcp');
    expect([...errorOf(crowded), crowded.headers.get('retry-after')]).toEqual([429, 'ERR_EDGE_225', '1']);
    socket.destroy();
    await eventually(async () => (await narrow.call('GET', '/edges/tcp')).status === 200);
    await narrow.stop();
  });

  it('leave room for others while the bodies of one key arrive slowly', async () => {
    const narrow = await startTestServer({ maxConcurrent: 10 });
    const { port } = new URL(narrow.url);
    const head = ['POST /edges/tcp HTTP/1.1', 'host: x', `authorization: Bearer ${narrow.token}`, 'service-version: 2'];
    const sockets = Array.from({ length: 13 }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write([...head, 'content-type: application/json', 'content-length: 2', '', ''].join('\r\n'));
      return socket.on('error', () => undefined).resume();
    });
    await eventually(async () => (await narrow.call('GET', '/edges/tcp')).status === 429);
    const headers = { authorization: `Bearer ${await narrow.keyFor(['read'])}` };
    expect((await narrow.call('GET', '/edges/tcp', { headers })).status).toBe(200);
    expect(errorOf(await narrow.call('GET', '/edges/tcp'))).toEqual([429, 'ERR_EDGE_225']);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => (await narrow.call('GET', '/edges/tcp')).status === 200);
    await narrow.stop();
  });
});
