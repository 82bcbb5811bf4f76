import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Answer, type ApiFixture, createApiFixture } from './api-fixture.ts';
import { type Started, startForTest } from './start.ts';

/** The claims of the contract about servers with other settings than those of the suite. */
let started: Started | undefined;

afterEach(async () => {
  await started?.stop();
  started = undefined;
});

async function worldWith(flags: Readonly<Record<string, string | boolean>>): Promise<ApiFixture> {
  started = await startForTest(flags);
  return createApiFixture(started);
}

function coded({ status, body }: Answer): unknown {
  return [status, (body as { readonly error_code?: string } | undefined)?.error_code];
}

it('reads the version from any of the configured headers, and asks for the first', async () => {
  const api = await worldWith({ versionHeaders: 'Acme-Version,Service-Version' });
  const none = await api.call('IpPoliciesList', { headers: { 'service-version': null } });
  expect(coded(none)).toEqual([400, 'ERR_EDGE_218']);
  expect(none.text).toContain("'Acme-Version'");
  const other = await api.call('IpPoliciesList', { headers: { 'service-version': null, 'acme-version': '2' } });
  expect([other.status, (await api.call('IpPoliciesList')).status]).toEqual([200, 200]);
});

it('has all paths, and all URIs in responses, below its base path', async () => {
  const api = await worldWith({ basePath: '/v1' });
  const { body } = await api.make('ip_policy');
  expect(body.uri).toBe(`${started?.running.url}/v1/ip_policies/${String(body.id)}`);
  expect((await fetch(`${started?.running.url}/ip_policies`)).status).toBe(404);
});

it('uses the configured host in URIs', async () => {
  const api = await worldWith({ publicUrl: 'https://api.example.com/edge' });
  const { body } = await api.make('ip_policy');
  await api.make('ip_policy');
  expect(body.uri).toBe(`https://api.example.com/edge/ip_policies/${String(body.id)}`);
  const page = (await api.call('IpPoliciesList', { query: 'limit=1' })).body as { readonly next_page_uri: string };
  expect(page.next_page_uri).toMatch(/^https:\/\/api\.example\.com\/edge\/ip_policies\?before_id=ipp_\w{27}&limit=1$/);
});

it('uses the configured prefix of codes and header of operation ids', async () => {
  const api = await worldWith({ errorPrefix: 'ERR_ACME_', operationIdHeader: 'Acme-Operation-Id' });
  const answer = await api.call('IpPoliciesList', { query: 'limit=0' });
  expect(coded(answer)).toEqual([400, 'ERR_ACME_233']);
  expect(answer.headers.get('acme-operation-id')).toMatch(/^op_/);
});

it('answers deletions with a body if configured to', async () => {
  const api = await worldWith({ answerDeletes: true });
  const { path } = await api.make('ip_policy');
  const answer = await api.call('IpPoliciesDelete', { path });
  expect([answer.status, answer.body]).toEqual([200, {}]);
});

it('accepts only hostports of reserved domains and addresses if reservations are required', async () => {
  const api = await worldWith({ reservations: true });
  await api.make('reserved_domain', { domain: '*.example.com' });
  const { body } = await api.make('reserved_addr');
  const https = async (hostport: string) =>
    coded(await api.call('EdgesHttpsCreate', { body: { hostports: [hostport] } }));
  const tcp = async (hostport: string) => coded(await api.call('EdgesTcpCreate', { body: { hostports: [hostport] } }));
  expect(await https('shop.example.com:443')).toEqual([201, undefined]);
  expect(await https('shop.example.com:8443')).toEqual([400, 'ERR_EDGE_7116']);
  expect(await https('shop.example.org:443')).toEqual([400, 'ERR_EDGE_7117']);
  expect(await tcp(String(body.addr))).toEqual([201, undefined]);
  expect(await tcp('1.tcp.example.com:1')).toEqual([400, 'ERR_EDGE_7114']);
});

it('answers 429 with error 226 and the seconds to wait if a key sends too many requests', async () => {
  const api = await worldWith({ development: false, rateLimit: '3' });
  const answers: Answer[] = [];
  for (let index = 0; index < 4; index++) answers.push(await api.call('IpPoliciesList'));
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

it('answers 429 with error 225 while the maximum number of requests is in progress', async () => {
  const api = await worldWith({ maxConcurrent: '1' });
  const { port } = new URL(started!.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [
    'POST /ip_policies HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${api.server.token}`,
    'Service-Version: 2',
  ];
  socket.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 9'].join('\r\n')}\r\n\r\n{`);
  await eventually(async () => isDeepStrictEqual(coded(await api.call('IpPoliciesList')), [429, 'ERR_EDGE_225']));
  socket.destroy();
  await eventually(async () => (await api.call('IpPoliciesList')).status === 200);
});
