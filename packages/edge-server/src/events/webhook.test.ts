import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from './signature.ts';
import { callWebhook, type WebhookOptions } from './webhook.ts';

const NOW = 1_700_000_000_000;
const EVENT = { id: 'ev_1', body: '{"event_id":"ev_1","x":"ü"}' };
const OPTIONS: WebhookOptions = { allowPrivate: true, timeout: 5000, now: () => NOW };

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`;
}

describe('webhooks', () => {
  it('are posted with a verifiable signature', async () => {
    const seen: unknown[] = [];
    const url = await listen(async (request, response) => {
      const body = await text(request);
      const { 'tollgate-timestamp': timestamp = '', 'tollgate-signature': signature = '' } = request.headers;
      const received = { body, timestamp: String(timestamp), signature: String(signature) };
      const freshness = { now: NOW / 1000, tolerance: 180 };
      seen.push(request.method, request.url, body, request.headers['x-team'], request.headers['content-type']);
      seen.push(verifyWebhook('hush', received, freshness), verifyWebhook('other', received, freshness));
      response.writeHead(204).end();
    });
    await callWebhook({ url, headers: { 'x-team': 'edge' }, secret: 'hush' }, EVENT, OPTIONS);
    expect(seen).toEqual(['POST', '/hook?a=b', EVENT.body, 'edge', 'application/json', true, false]);
  });

  it('leave out headers of the connection that earlier releases stored', async () => {
    const seen: (readonly (string | undefined)[])[] = [];
    const url = await listen(async (request, response) => {
      const { host, connection, upgrade, 'transfer-encoding': encoding, 'content-length': length } = request.headers;
      seen.push([
        host,
        connection,
        upgrade,
        encoding,
        length,
        request.headers['x-team'] as string,
        await text(request),
      ]);
      response.writeHead(204).end();
    });
    const headers = {
      'Transfer-Encoding': 'chunked',
      'Content-Length': '5',
      Host: 'internal.example',
      Connection: 'upgrade',
      Upgrade: 'websocket',
      'X-Team': 'edge',
    };
    await callWebhook({ url, headers, secret: undefined }, EVENT, OPTIONS);
    const length = String(Buffer.byteLength(EVENT.body));
    expect(seen).toEqual([[new URL(url).host, 'close', undefined, undefined, length, 'edge', EVENT.body]]);
  });

  it.each([
    [302, 'the webhook responded with 302'],
    [500, 'the webhook responded with 500'],
  ])('fail on status %i', async (status, message) => {
    const url = await listen((_, response) => response.writeHead(status, { location: '/elsewhere' }).end());
    await expect(callWebhook({ url, headers: {}, secret: undefined }, EVENT, OPTIONS)).rejects.toThrow(message);
  });

  it('fail on a timeout', async () => {
    const url = await listen(() => undefined);
    const call = callWebhook({ url, headers: {}, secret: undefined }, EVENT, { ...OPTIONS, timeout: 50 });
    await expect(call).rejects.toThrow('the webhook did not respond in time');
  });

  it('do not wait for the end of the response', async () => {
    const url = await listen((_, response) => response.writeHead(200).write('…'));
    await callWebhook({ url, headers: {}, secret: undefined }, EVENT, OPTIONS);
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://0x7f.1:1/',
    'http://localhost:1/',
    'http://[::ffff:a00:1]:1/',
  ])('reject the private address of %s', async url => {
    const call = callWebhook({ url, headers: {}, secret: undefined }, EVENT, { ...OPTIONS, allowPrivate: false });
    await expect(call).rejects.toThrow(/ resolves to the private address .*; use a public address$/);
  });
});
