import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEnforcer, type Enforcer } from './enforcer.ts';
import { FETCH_HOST, fetchHandler } from './fetch.ts';
import { type Host, hostProviding } from './host.ts';
import { NODE_HOST, nodeMiddleware } from './node.ts';

// What answers for an internal endpoint is asked instead of the application, and rules for responses see what it responds.

const POLICY = `
on_http_request:
  - expressions: ["req.url.path.startsWith('/a')"]
    actions:
      - { type: add-headers, config: { headers: { x-way: inside } } }
      - { type: forward-internal, config: { url: "https://a.internal" } }
  - expressions: ["req.url.path.startsWith('/b')"]
    actions: [{ type: forward-internal, config: { url: "https://\${req.headers['x-to'][0]}.internal" } }]
on_http_response:
  - expressions: ["res.status_code == 201"]
    actions: [{ type: add-headers, config: { headers: { x-made: 'yes' } } }]
`;

function enforcerFor(host: Host): Enforcer {
  const source = new SourceText('policy.yaml', POLICY);
  const { policy, environments } = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  const created = createEnforcer(policy!, { profile: MODERN, environments, host });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  return created.enforcer;
}

const REQUESTS = [
  ['/a', {}, [201, 'a got inside', 'yes']],
  ['/b', { 'x-to': 'a' }, [201, 'a got nothing', 'yes']],
  ['/b', { 'x-to': 'other' }, [502, 'no such internal endpoint\n', null]],
  ['/c', {}, [200, 'the application', null]],
] as const;

const seen = async (response: Response) => [response.status, await response.text(), response.headers.get('x-made')];

it('is refused unless the host provides internal endpoints', () => {
  expect(() => enforcerFor(NODE_HOST)).toThrow('`forward-internal` is not carried out by a server on Node');
});

describe('behind a server on Node', () => {
  const enforcer = enforcerFor(hostProviding(NODE_HOST, ['forward-internal']));
  const middleware = nodeMiddleware(() => enforcer, {
    internal: url =>
      url === 'https://a.internal'
        ? (request, response) => response.writeHead(201).end(`a got ${request.headers['x-way'] ?? 'nothing'}`)
        : undefined,
  });
  const server = createServer((request, response) =>
    middleware(request, response, () => void response.end('the application')),
  );
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => void server.close());

  it.each(REQUESTS)('%s with %o is answered by the right one', async (path, headers, expected) => {
    const { port } = server.address() as AddressInfo;
    expect(await seen(await fetch(`http://127.0.0.1:${port}${path}`, { headers }))).toEqual(expected);
  });
});

describe('behind a fetch handler', () => {
  const enforcer = enforcerFor(hostProviding(FETCH_HOST, ['forward-internal']));
  const handler = fetchHandler(
    () => enforcer,
    () => new Response('the application'),
    () => ({}),
    url =>
      url === 'https://a.internal'
        ? request => new Response(`a got ${request.headers.get('x-way') ?? 'nothing'}`, { status: 201 })
        : undefined,
  );

  it.each(REQUESTS)('%s with %o is answered by the right one', async (path, headers, expected) => {
    expect(await seen(await handler(new Request(`https://shop.example${path}`, { headers })))).toEqual(expected);
  });
});
