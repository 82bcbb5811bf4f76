import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer } from '@tollgate/enforce';
import { NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { analyzePolicy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { exchangeOf } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Clients may send anything as host. What ends the authority of a URL would hide the path, or make another one of it.

const TEXT = JSON.stringify({
  on_http_request: [
    { expressions: ["req.url.path.startsWith('/admin')"], actions: [{ type: 'deny', config: { status_code: 403 } }] },
    { expressions: ["req.url.path.startsWith('/x')"], actions: [{ type: 'deny', config: { status_code: 401 } }] },
  ],
});
const { policy, environments } = analyzePolicy(new SourceText('policy.yaml', TEXT), {
  profile: MODERN,
  endpoint: 'http-endpoint',
});
const HOSTS = ['a.example/x', 'a.example/?', 'a.example?', 'a.example#', 'user@a.example', 'a.example\\x'];

describe.each(HOSTS)('the host %s', host => {
  const simulate = (assumptions?: object) =>
    createSimulation(policy!, { profile: MODERN, environments, ...(assumptions && { assumptions }) });

  it.each([
    ['with a scheme', { scheme: 'https' }, undefined],
    ['with an assumed one', {}, 'https://assumed.example'],
  ])('changes no path in a recording %s', async (_, record, origin) => {
    const line = JSON.stringify({ method: 'GET', host, target: '/admin', ...record });
    async function* content() {
      yield new TextEncoder().encode(`${line}\n`);
    }
    for await (const { exchanges } of readTraffic('a.jsonl', { content: content() }))
      for (const exchange of exchanges)
        expect(simulate(origin === undefined ? undefined : { origin }).decide(exchange).outcomes).toMatchObject([
          { kind: 'denied', status: 403 },
        ]);
  });

  it('changes no path in a request', () => {
    const rawHeaders = ['Host', host];
    const exchange = exchangeOf({ method: 'GET', url: '/admin', httpVersion: '1.1', rawHeaders }, { scheme: 'https' });
    expect(simulate().decide(exchange).outcomes).toMatchObject([{ kind: 'denied', status: 403 }]);
  });
});

describe('a server on Node', () => {
  const created = createEnforcer(policy!, { profile: MODERN, environments, host: NODE_HOST });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  const middleware = nodeMiddleware(() => created.enforcer);
  const server = createServer((request, response) => middleware(request, response, () => response.end('passed')));

  beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  afterAll(() => void server.close());

  async function statusOf(target: string, host: string): Promise<string | undefined> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    return /^HTTP\/1\.1 (\d+) /.exec(text)?.[1];
  }

  it.each(HOSTS)('refuses the host %s', async host => {
    expect(await statusOf('/admin', host)).toBe('400');
  });

  it('refuses a target for another host than that of the header, which applications read', async () => {
    expect(await statusOf('http://other.example/', 'a.example')).toBe('400');
    expect(await statusOf('http://a.example/', 'a.example')).toBe('200');
  });
});
