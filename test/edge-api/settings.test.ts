import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Started, startForTest } from './start.ts';
import { type Answer, createWorld, type World } from './world.ts';

/** What the contract says of servers that are set up in another way than the suite's. */
let started: Started | undefined;

afterEach(async () => {
  await started?.stop();
  started = undefined;
});

async function worldWith(flags: Readonly<Record<string, string | boolean>>): Promise<World> {
  started = await startForTest(flags);
  return createWorld(started);
}

function coded({ status, body }: Answer): unknown {
  return [status, (body as { readonly error_code?: string } | undefined)?.error_code];
}

it('takes the version from any of the headers that it is told, and asks for the first', async () => {
  const world = await worldWith({ versionHeaders: 'Acme-Version,Service-Version' });
  const none = await world.call('IpPoliciesList', { headers: { 'service-version': null } });
  expect(coded(none)).toEqual([400, 'ERR_EDGE_218']);
  expect(none.text).toContain("'Acme-Version'");
  const other = await world.call('IpPoliciesList', { headers: { 'service-version': null, 'acme-version': '2' } });
  expect([other.status, (await world.call('IpPoliciesList')).status]).toEqual([200, 200]);
});

it('has all paths, and all URIs of answers, below its base path', async () => {
  const world = await worldWith({ basePath: '/v1' });
  const { body } = await world.make('ip_policy');
  expect(body.uri).toBe(`${started?.running.url}/v1/ip_policies/${String(body.id)}`);
  expect((await fetch(`${started?.running.url}/ip_policies`)).status).toBe(404);
});

it('writes URIs with the host that it is told', async () => {
  const world = await worldWith({ publicUrl: 'https://api.example.com/edge' });
  const { body } = await world.make('ip_policy');
  await world.make('ip_policy');
  expect(body.uri).toBe(`https://api.example.com/edge/ip_policies/${String(body.id)}`);
  const page = (await world.call('IpPoliciesList', { query: 'limit=1' })).body as { readonly next_page_uri: string };
  expect(page.next_page_uri).toMatch(/^https:\/\/api\.example\.com\/edge\/ip_policies\?before_id=ipp_\w{27}&limit=1$/);
});

it('has the prefix of codes and the header of operation ids that it is told', async () => {
  const world = await worldWith({ errorPrefix: 'ERR_ACME_', operationIdHeader: 'Acme-Operation-Id' });
  const answer = await world.call('IpPoliciesList', { query: 'limit=0' });
  expect(coded(answer)).toEqual([400, 'ERR_ACME_233']);
  expect(answer.headers.get('acme-operation-id')).toMatch(/^op_/);
});

it('answers deletions with a body where it is told to', async () => {
  const world = await worldWith({ answerDeletes: true });
  const { path } = await world.make('ip_policy');
  const answer = await world.call('IpPoliciesDelete', { path });
  expect([answer.status, answer.body]).toEqual([200, {}]);
});

it('takes hostports of reserved domains and addresses only, where reservations are asked for', async () => {
  const world = await worldWith({ reservations: true });
  await world.make('reserved_domain', { domain: '*.example.com' });
  const { body } = await world.make('reserved_addr');
  const https = async (hostport: string) =>
    coded(await world.call('EdgesHttpsCreate', { body: { hostports: [hostport] } }));
  const tcp = async (hostport: string) =>
    coded(await world.call('EdgesTcpCreate', { body: { hostports: [hostport] } }));
  expect(await https('shop.example.com:443')).toEqual([201, undefined]);
  expect(await https('shop.example.com:8443')).toEqual([400, 'ERR_EDGE_7116']);
  expect(await https('shop.example.org:443')).toEqual([400, 'ERR_EDGE_7117']);
  expect(await tcp(String(body.addr))).toEqual([201, undefined]);
  expect(await tcp('1.tcp.example.com:1')).toEqual([400, 'ERR_EDGE_7114']);
});

it('answers 429 with 226 and the seconds to wait when a key sends too many requests', async () => {
  const world = await worldWith({ development: false, rateLimit: '3' });
  const answers: Answer[] = [];
  for (let index = 0; index < 4; index++) answers.push(await world.call('IpPoliciesList'));
  expect(answers.map(coded)).toEqual([
    [200, undefined],
    [200, undefined],
    [200, undefined],
    [429, 'ERR_EDGE_226'],
  ]);
  const seconds = Number(answers[3]?.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(120);
});

it('answers 429 with 225 while as many requests are under way as there may be', async () => {
  const world = await worldWith({ maxConcurrent: '1' });
  const { port } = new URL(started!.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [
    'POST /ip_policies HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${world.server.token}`,
    'Service-Version: 2',
  ];
  socket.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 9'].join('\r\n')}\r\n\r\n{`);
  await eventually(async () => isDeepStrictEqual(coded(await world.call('IpPoliciesList')), [429, 'ERR_EDGE_225']));
  socket.destroy();
  await eventually(async () => (await world.call('IpPoliciesList')).status === 200);
});
