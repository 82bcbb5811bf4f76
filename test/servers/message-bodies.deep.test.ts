import type { AddressInfo } from 'node:net';
import { FETCH_HOST, fetchHandler } from '@tollgate/enforce/fetch';
import { NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { expect, it } from 'vitest';
import {
  applicationAt,
  BODIES_CASES,
  bodiesApplication,
  bodiesEnforcer,
  expectBodies,
  expected,
  listening,
  shown,
} from './message-bodies.ts';

it('bodies pass middleware on Node as they were sent, and answers have theirs where HTTP allows one', async () => {
  const { enforcer } = bodiesEnforcer(NODE_HOST);
  const middleware = nodeMiddleware(() => enforcer);
  const server = await listening((request, response) =>
    middleware(request, response, () => void bodiesApplication(request, response)),
  );
  await expectBodies((server.address() as AddressInfo).port);
  server.closeAllConnections();
  server.close();
});

it('and a fetch handler, whose platform sends no body to HEAD', async () => {
  const { enforcer } = bodiesEnforcer(FETCH_HOST);
  const handler = fetchHandler(
    () => enforcer,
    async request => {
      const received = Buffer.from(await request.arrayBuffer());
      const { pathname } = new URL(request.url);
      const { status, headers, body } = applicationAt(pathname, received, request.headers.get('x-checked'));
      return new Response(body === undefined ? null : new Blob([body]).stream(), { status, headers });
    },
  );
  for (const { path, method, sent } of BODIES_CASES.filter(one => one.method !== 'HEAD')) {
    const body = sent.length === 0 ? null : new Blob([...sent]).stream();
    const request = new Request(`http://a.example${path}`, { method, body, duplex: 'half' } as RequestInit);
    const response = await handler(request);
    const header = (name: string) => response.headers.get(name) ?? undefined;
    const found = {
      ...{ status: response.status, checked: header('x-checked'), made: header('x-made') },
      ...{ received: header('x-received'), encoding: header('content-encoding') },
      body: shown(Buffer.from(await response.arrayBuffer())),
    };
    expect([path, method, found]).toEqual([path, method, expected(path, method, sent)]);
  }
});
