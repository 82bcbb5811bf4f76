import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@tollgate/edge-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

interface Received {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly isSigned: boolean;
}

let server: TestServer;
let receiver: Server;
let received: Received[];
/** How many of the next webhooks are refused. */
let failures: number;

beforeEach(async () => {
  received = [];
  failures = 0;
  receiver = createServer(async (request, response) => {
    const body = await text(request);
    if (failures > 0) {
      failures -= 1;
      response.writeHead(503).end();
      return;
    }
    const { 'tollgate-timestamp': timestamp, 'tollgate-signature': signature } = request.headers;
    const signed = { body, timestamp: String(timestamp), signature: String(signature) };
    const isSigned = verifyWebhook('a secret', signed, { now: Number(timestamp), tolerance: 180 });
    const { event_type: type, object } = JSON.parse(body);
    received.push({ type, object, isSigned });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  server = await startTestServer({ privateDestinations: true, eventsFolder: '' });
});

afterEach(async () => {
  await server.stop();
  receiver.close();
});

async function subscribe(target: object, ...types: readonly string[]): Promise<string> {
  const destination = await server.call('POST', '/event_destinations', { body: { format: 'json', target } });
  const sources = types.map(type => ({ type }));
  const body = { sources, destination_ids: [textOf(destination, 'id')] };
  return textOf(await server.call('POST', '/event_subscriptions', { body }), 'id');
}

function webhook(): object {
  const { port } = receiver.address() as AddressInfo;
  return { http: { url: `http://127.0.0.1:${port}/`, secret: 'a secret' } };
}

describe('events', () => {
  it('tell of changes in the documented form, signed, in order, also when the receiver fails at first', async () => {
    await subscribe(webhook(), 'ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_deleted.v0');
    failures = 1;
    const made = await server.call('POST', '/ip_policies', { body: { description: 'one' } });
    const path = `/ip_policies/${textOf(made, 'id')}`;
    await server.call('PATCH', path, { body: { description: 'two' } });
    await server.call('DELETE', path);
    await eventually(() => received.length === 3);
    expect(received).toEqual([
      { type: 'ip_policy_created.v0', object: made.body, isSigned: true },
      { type: 'ip_policy_updated.v0', object: { ...(made.body as object), description: 'two' }, isSigned: true },
      { type: 'ip_policy_deleted.v0', object: { ...(made.body as object), description: 'two' }, isSigned: true },
    ]);
  });

  it('follow the sources of a subscription', async () => {
    const id = await subscribe(webhook());
    await server.call('POST', '/ip_policies', { body: { description: 'unheard' } });
    await server.call('POST', `/event_subscriptions/${id}/sources`, { body: { type: 'ip_policy_created.v0' } });
    await server.call('POST', '/ip_policies', { body: { description: 'heard' } });
    await server.call('DELETE', `/event_subscriptions/${id}/sources/ip_policy_created.v0`);
    await server.call('POST', '/ip_policies', { body: { description: 'unheard again' } });
    await eventually(() => received.length === 1);
    expect(received.map(({ object }) => object.description)).toEqual(['heard']);
    expect(await server.server.store.outbox.pending()).toBe(0);
  });

  it('say who made the change, and when', async () => {
    await subscribe({ stdout: {} }, 'ip_policy_created.v0');
    const made = await server.call('POST', '/ip_policies', { body: {} });
    await eventually(() => server.lines.length === 1);
    const id = `ak_${server.token.slice(0, 27)}`;
    expect(JSON.parse(server.lines[0]!)).toEqual({
      event_id: expect.stringMatching(/^ev_[0-9A-Za-z]{27}$/),
      event_type: 'ip_policy_created.v0',
      event_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      account_id: expect.stringMatching(/^ac_[0-9A-Za-z]{27}$/),
      principal: { id, subject: id, source: 'API', credential: { id, uri: `${server.url}/api_keys/${id}` } },
      object: made.body,
    });
  });

  it('that this server has no way to deliver become dead letters at once', async () => {
    const auth = { creds: { aws_access_key_id: 'A', aws_secret_access_key: 'B' } };
    const stream = 'arn:aws:kinesis:us-east-1:123456789012:stream/x';
    await subscribe({ kinesis: { auth, stream_arn: stream } }, 'ip_policy_created.v0');
    await server.call('POST', '/ip_policies', { body: {} });
    await eventually(() => server.log.some(line => line.includes('this server does not deliver to `kinesis`')));
    const [dead] = await server.server.store.outbox.deadLetters(10);
    expect([dead?.eventType, dead?.attempts]).toEqual(['ip_policy_created.v0', 1]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_events_dead [1-9]/m);
  });
});

describe('destinations', () => {
  it('may be files only where the settings name a folder, and stay below it', async () => {
    const create = (from: TestServer, path: string) =>
      from.call('POST', '/event_destinations', { body: { format: 'json', target: { file: { path } } } });
    expect((await create(server, 'a.jsonl')).body).toMatchObject({ error_code: 'ERR_EDGE_236' });
    const folder = join(server.folder, 'events');
    const other = await startTestServer({ eventsFolder: folder });
    expect((await create(other, '../a.jsonl')).body).toMatchObject({ error_code: 'ERR_EDGE_236' });
    const made = await create(other, 'team/a.jsonl');
    const body = { sources: [{ type: 'ip_policy_created.v0' }], destination_ids: [textOf(made, 'id')] };
    await other.call('POST', '/event_subscriptions', { body });
    await other.call('POST', '/ip_policies', { body: { description: 'to the file' } });
    await eventually(() => other.log.length > 0 && fileText(folder).includes('to the file'));
    await other.stop();
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost:8080/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'tcp://x.example:1/',
  ])('may not be %s, unless it is allowed', async url => {
    const other = await startTestServer();
    const target = { http: { url } };
    const { status, body } = await other.call('POST', '/event_destinations', { body: { format: 'json', target } });
    expect([status, body]).toMatchObject([400, { error_code: 'ERR_EDGE_236', details: { field: 'target.http.url' } }]);
    await other.stop();
  });

  it('have no password in their URL, nor another scheme than HTTP, even where private addresses are allowed', async () => {
    const other = await startTestServer({ privateDestinations: true });
    const create = async (url: string) => {
      const body = { format: 'json', target: { http: { url } } };
      return (await other.call('POST', '/event_destinations', { body })).body;
    };
    expect(await create('http://me:hunter2@127.0.0.1/')).toMatchObject({
      error_code: 'ERR_EDGE_236',
      msg: "The target's field 'target.http.url' must be a URL without a user name or password, found 'http://…@127.0.0.1'.",
    });
    expect(await create('tcp://127.0.0.1:1/')).toMatchObject({ error_code: 'ERR_EDGE_236' });
    expect(await create('http://127.0.0.1/')).toMatchObject({ target: { http: { url: 'http://127.0.0.1/' } } });
    await other.stop();
  });
});

function fileText(folder: string): string {
  try {
    return readFileSync(join(folder, 'team/a.jsonl'), 'utf8');
  } catch {
    return '';
  }
}
