import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const description of ['office', 'home', 'office, old', ''])
    await server.call('POST', '/ip_policies', { body: { description, metadata: '' } });
});

afterAll(() => server.stop());

interface Page {
  readonly ip_policies: readonly { readonly description: string }[];
  readonly next_page_uri: string | null;
}

const list = (filter: string, path = '/ip_policies', more = ''): Promise<Answer> =>
  server.call('GET', `${path}?filter=${encodeURIComponent(filter)}${more}`);
const namesIn = ({ body }: Answer): readonly string[] => (body as Page).ip_policies.map(one => one.description);

describe('the filter of a list', () => {
  it.each([
    ["obj.description == 'home'", ['home']],
    ["obj.description == 'home' || obj.description == ''", ['', 'home']],
    ["!(obj.description in ['home', ''])", ['office, old', 'office']],
    ["obj.description.startsWith('office') && obj.description.endsWith('old')", ['office, old']],
    ["obj.description.contains('ff')", ['office, old', 'office']],
    ['size(obj.description) > 6', ['office, old']],
    ["obj.created_at > timestamp('2026-01-01T00:00:00Z')", ['', 'office, old', 'home', 'office']],
    ["obj.created_at > timestamp(time.now).subtract('7d')", ['', 'office, old', 'home', 'office']],
    ["obj.created_at > timestamp(time.now).add(duration('24h'))", []],
    ['obj.metadata == null', []],
    ['obj.description < obj.description.size()', []],
    ['', ['', 'office, old', 'home', 'office']],
  ])('%s keeps what it is true for', async (filter, expected) => {
    const answer = await list(filter);
    expect([answer.status, namesIn(answer)]).toEqual([200, expected]);
  });

  it.each([
    ["obj.description == 'home", 250, 'is not a valid CEL expression'],
    ["obj.descripton == 'home'", 250, 'did you mean `description`?'],
    ['size(obj.description)', 251, 'must be a CEL expression that is true or false, found one that is int'],
    [`obj.description == '${'x'.repeat(1000)}'`, 250, 'it has more than 1000 characters'],
    [`${'['.repeat(60)}${']'.repeat(60)} == []`, 250, 'is not a valid CEL expression'],
  ])('%s is refused', async (filter, code, message) => {
    const answer = await list(filter);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error_code: `ERR_EDGE_${code}`, msg: expect.stringContaining(message) },
    ]);
  });

  it('stops an expression that costs too much for a record, which does not match', async () => {
    const all = '[1,2,3,4,5,6,7,8,9,10]';
    const filter = `${all}.all(a, ${all}.all(b, ${all}.all(c, ${all}.all(d, obj.description != 'x'))))`;
    expect(namesIn(await list(filter))).toEqual([]);
  });

  it('fills pages with what matches, and continues on the next one', async () => {
    const first = await list("obj.description.startsWith('office')", '/ip_policies', '&limit=1');
    expect(namesIn(first)).toEqual(['office, old']);
    const next = await server.call('GET', (first.body as Page).next_page_uri!.replace(server.url, ''));
    expect(namesIn(next)).toEqual(['office']);
  });

  it('reads a bounded number of records for a page', async () => {
    const database = new DatabaseSync(join(server.folder, 'test.db'));
    database.exec(`
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 10999)
      insert into records (id, kind, parent_id, body, revision, created_at)
      select printf('edgtcp_%027d', i), 'tcp_edge', null,
        '{"description":"edge ' || i || '","metadata":"","hostports":[],"policy":null}', 1, '2026-01-01T00:00:00Z' from n`);
    database.close();
    const answer = await list("obj.description == 'edge 0'", '/edges/tcp');
    const body = answer.body as { tcp_edges: unknown[]; next_page_uri: string };
    expect([body.tcp_edges.length, body.next_page_uri]).toEqual([0, expect.stringContaining('filter=')]);
    const next = await server.call('GET', body.next_page_uri.replace(server.url, ''));
    expect(next.body).toMatchObject({ tcp_edges: [{ description: 'edge 0' }], next_page_uri: null });
  });
});
