import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.stop());

describe('updates by clients that send empty values for what is not given', () => {
  const updated = async (path: string, body: unknown) => {
    const answer = await server.call('PATCH', path, body === undefined ? {} : { body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  };

  it('keep the match, description and metadata of a route', async () => {
    const edge = textOf(await server.call('POST', '/edges/https', { body: {} }), 'id');
    const given = { match_type: 'path_prefix', match: '/', description: 'shop', metadata: 'm' };
    const made = await server.call('POST', `/edges/https/${edge}/routes`, { body: given });
    const path = `/edges/https/${edge}/routes/${textOf(made, 'id')}`;
    const empty = { match_type: '', match: '', description: '', metadata: '' };
    for (const body of [empty, {}, undefined]) expect(await updated(path, body)).toMatchObject(given);
    const renamed = { ...empty, description: 'new' };
    expect(await updated(path, renamed)).toMatchObject({ ...given, description: 'new' });
  });

  it('keep the policies of an IP restriction, the sources of a subscription and the address of a backend', async () => {
    const policy = textOf(await server.call('POST', '/ip_policies', { body: {} }), 'id');
    for (const [path, given, empty, kept] of [
      [
        '/ip_restrictions',
        { type: 'api', ip_policy_ids: [policy] },
        { ip_policy_ids: [] },
        { ip_policies: [{ id: policy }] },
      ],
      [
        '/event_subscriptions',
        { sources: [{ type: 'ip_policy_created.v0' }] },
        { sources: [] },
        { sources: [{ type: 'ip_policy_created.v0' }] },
      ],
      ['/backends/static', { address: 'a.example:80', tls: {} }, { address: '' }, { address: 'a.example:80' }],
    ] as const) {
      const made = await server.call('POST', path, { body: given });
      const one = `${path}/${textOf(made, 'id')}`;
      for (const body of [empty, {}, undefined]) expect(await updated(one, body)).toMatchObject(kept);
    }
  });

  it('leave an event source as it is', async () => {
    const body = { sources: [{ type: 'ip_policy_created.v0' }] };
    const made = await server.call('POST', '/event_subscriptions', { body });
    const path = `/event_subscriptions/${textOf(made, 'id')}/sources/ip_policy_created.v0`;
    for (const given of [{ type: '' }, {}, undefined])
      expect(await updated(path, given)).toMatchObject(body.sources[0]!);
  });
});

describe('requests', () => {
  it('with a wrong method are told the right ones, before anything else', async () => {
    const edge = '/edges/https/edghts_2cSjwFetnYBX2V3aBcDeFgHiJkL';
    for (const [method, path, allow] of [
      ['PUT', '/edges/https', 'POST, GET, HEAD'],
      ['OPTIONS', '//edges//https', 'POST, GET, HEAD'],
      ['PROPFIND', '/edges/https?limit=1', 'POST, GET, HEAD'],
      ['PUT', edge, 'GET, HEAD, PATCH, DELETE'],
      ['GET', `${edge}/routes`, 'POST'],
      ['POST', `${edge}/tls_termination`, 'PUT, GET, HEAD, DELETE'],
      ['GET', '/_tollgate/validate/edges/https', 'POST'],
      ['DELETE', '/healthz', 'GET, HEAD'],
    ] as const) {
      const answer = await fetch(`${server.url}${path}`, { method });
      const [bare = ''] = path.split('?');
      expect([method, answer.status, answer.headers.get('allow'), await answer.json()]).toEqual([
        method,
        405,
        allow,
        { status_code: 405, msg: 'Method Not Allowed', details: { path: bare } },
      ]);
    }
  });

  it('with HEAD are answered like those with GET, without a body', async () => {
    const made = await server.call('POST', '/ip_policies', { body: {} });
    const one = `/ip_policies/${textOf(made, 'id')}`;
    for (const path of [
      one,
      one,
      '/ip_policies',
      '/ip_policies/none',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
    ]) {
      const [got, head] = [await server.call('GET', path), await server.call('HEAD', path)];
      expect([path, head.status, head.text]).toEqual([path, got.status, '']);
      for (const name of ['content-type', 'etag']) expect(head.headers.get(name)).toBe(got.headers.get(name));
      if (path !== '/metrics') expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    }
  });

  it('without a valid key are told the scheme', async () => {
    for (const authorization of ['', 'Digest x', 'Bearer x']) {
      const answer = await server.call('GET', '/edges/https', { headers: { authorization } });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, 'Bearer']);
    }
    const reader = await server.keyFor(['read']);
    const answer = await server.call('POST', '/edges/https', { headers: { authorization: `Bearer ${reader}` } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  it('with wrong keys are slowed down for their address, and those with a valid key are not', async () => {
    const other = await startTestServer();
    const wrong = async (index: number) => {
      const authorization = `Bearer ${'1'.repeat(27)}_${String(index).padStart(21, '2')}`;
      return await other.call('GET', '/ip_policies', { headers: { authorization } });
    };
    const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => wrong(index)));
    const counts = Map.groupBy(answers, ({ status }) => status);
    expect([counts.get(403)?.length, counts.get(429)?.length]).toEqual([20, 100]);
    for (const { headers, body } of counts.get(429)!) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body).toMatchObject({ msg: 'Too many requests from this address had a wrong API key.' });
    }
    expect((await other.call('GET', '/ip_policies')).status).toBe(200);
    const fresh = await other.keyFor(['read']);
    const read = await other.call('GET', '/ip_policies', { headers: { authorization: `Bearer ${fresh}` } });
    expect(read.status).toBe(200);
    await other.stop();
  });
});

/** Only root may mount a file system of limited size. */
const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

describe('a body with a repeated member', () => {
  const deny =
    '{"name":"n","expressions":[],"actions":[{"type":"deny","config":{"status_code":403,"status_code":404}}]}';

  it.each([
    ['{"description":"a","description":"b"}', 'description', 19],
    ['{"description":"a","\\u0064escription":"a"}', 'description', 19],
    ['{"hostports":[],"metadata":"{\\"a\\":1,\\"a\\":2}","hostports":[]}', 'hostports', 47],
    ['{"mutual_tls":{"enabled":true,"enabled":false}}', 'enabled', 30],
  ])('is refused where the second one is: %s', async (body, name, position) => {
    const { status, body: refusal } = await server.call('POST', '/edges/https', { body });
    const msg = `The body must be a JSON object: the member '${name}' is repeated at position ${position}.`;
    expect([status, refusal]).toMatchObject([400, { error_code: 'ERR_EDGE_213', msg }]);
  });

  it('is refused within a policy as in a file, and not where members of several objects have one name', async () => {
    const edge = textOf(await server.call('POST', '/edges/tcp', { body: {} }), 'id');
    const put = (body: string) => server.call('PUT', `/edges/tcp/${edge}/policy`, { body });
    expect((await put(`{"inbound":[${deny}]}`)).body).toMatchObject({ error_code: 'ERR_EDGE_213' });
    const rule = '{"name":"n","expressions":[],"actions":[{"type":"deny"}]}';
    expect((await put(`{"inbound":[${rule},${rule}]}`)).status).toBe(200);
  });
});

it('an error repeats at most 1,000 characters of what was sent, wherever it was', async () => {
  const junk = 'Q'.repeat(8_000);
  const edge = textOf(await server.call('POST', '/edges/https', { body: {} }), 'id');
  const body = { match_type: 'path_prefix', match: '/' };
  const route = textOf(await server.call('POST', `/edges/https/${edge}/routes`, { body }), 'id');
  const rules = (expression: string, type = 'deny') => [{ name: 'n', expressions: [expression], actions: [{ type }] }];
  const policy = `/edges/https/${edge}/routes/${route}/policy`;
  const sent = await Promise.all([
    server.call('GET', `/${junk}`),
    server.call('GET', `/edges/https/${junk}`),
    server.call('GET', `/edges/https?${junk}=1`),
    server.call('GET', `/edges/https?limit=${junk}`),
    server.call('GET', `/edges/https?before_id=${junk}`),
    server.call('GET', `/edges/https?filter=${junk.slice(0, 900)}`),
    server.call('GET', `/edges/https?${junk}=%`),
    server.call('GET', '/edges/https', { headers: { 'service-version': junk } }),
    server.call('GET', '/edges/https', { headers: { authorization: `Bearer ${junk}` } }),
    server.call('POST', '/edges/https', { body: '{}', headers: { 'content-type': junk } }),
    server.call('POST', '/edges/https', { body: '{}', headers: { 'content-encoding': junk } }),
    server.call('POST', '/edges/https', { body: `{"${junk}":1,"${junk}":2}` }),
    server.call('POST', '/edges/https', { body: { [junk]: 1, hostports: Array(90).fill(junk) } }),
    server.call('POST', '/edges/https', { body: { hostports: [{ [junk]: junk }], description: junk } }),
    server.call('POST', '/backends/http_response', { body: { headers: { [`${junk} `]: junk } } }),
    server.call('POST', '/backends/weighted', { body: { backends: { [junk]: 1 } } }),
    server.call('POST', '/ip_policy_rules', { body: { cidr: junk, ip_policy_id: junk, action: junk } }),
    server.call('PUT', policy, { body: { inbound: rules(junk) } }),
    server.call('PUT', policy, { body: { inbound: rules(`req.${junk}`) } }),
    server.call('PUT', policy, { body: { inbound: rules('true', junk) } }),
    server.call('PUT', policy, { body: { inbound: [{ [junk]: [] }], [junk]: 1 } }),
  ]);
  expect(sent.map(({ status }) => status).filter(status => status < 400 || status > 499)).toEqual([]);
  expect(sent.map(({ text }) => text.match(/Q/g)?.length ?? 0).filter(count => count > 1_000)).toEqual([]);
});

describe('a server whose database takes no writes', () => {
  async function notReadyUntil(other: TestServer, fix: () => void): Promise<void> {
    const ready = async () => (await fetch(`${other.url}/readyz`)).status;
    await eventually(async () => (await ready()) === 503);
    expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    expect(other.log.join()).toContain('the store cannot be read or written');
    fix();
    await eventually(async () => (await ready()) === 200);
  }

  it('is not ready until it takes them again', async () => {
    const other = await startTestServer({ logLevel: 'error' });
    const database = new DatabaseSync(join(other.folder, 'test.db'));
    database.exec("create trigger refusal before insert on meta begin select raise(fail, 'read-only'); end");
    await notReadyUntil(other, () => database.exec('drop trigger refusal'));
    database.close();
    await other.stop();
  });

  it.skipIf(!canMount)('because the disk is full is not ready, and refuses writes with 503', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'tollgate-disk-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', disk]);
    const other = await startTestServer({ database: join(disk, 'test.db'), logLevel: 'error' });
    try {
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4k']);
      const write = async () =>
        (await other.call('POST', '/ip_policies', { body: { metadata: 'x'.repeat(4000) } })).status;
      await eventually(async () => (await write()) === 503);
      await notReadyUntil(other, () => rmSync(join(disk, 'filler')));
      expect(await write()).toBe(201);
    } finally {
      await other.stop();
      spawnSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });
});
