import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

/** A collector that keeps what it receives, by path. */
const received = { '/v1/traces': [] as Traces[], '/v1/metrics': [] as Metrics[] };
let collector: Server;
let server: TestServer;

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly spanId: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number; readonly message?: string };
}
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}
interface Point {
  readonly asInt?: number;
  readonly asDouble?: number;
  readonly count?: number;
  readonly attributes: readonly Attribute[];
}
interface Metric {
  readonly name: string;
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly sum?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}
interface Metrics {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[] }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const URL_PATH = '/elsewhere';

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (request.url === '/v1/traces') received['/v1/traces'].push(JSON.parse(text));
      if (request.url === '/v1/metrics') received['/v1/metrics'].push(JSON.parse(text));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  server = await startTestServer({ otlpEndpoint: `http://127.0.0.1:${port}/`, eventTries: 1 });
});

afterAll(() => collector.close());

const textOfAttribute = (attributes: readonly Attribute[], key: string): string | number | undefined => {
  const value = attributes.find(one => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

it('sends a span of each request and delivery, and the metrics, to the collector', async () => {
  const destination = { format: 'json', target: { http: { url: 'http://127.0.0.1:9/' } } };
  expect((await server.call('POST', '/event_destinations', { body: destination })).status).toBe(400);
  const dead = textOf(
    await server.call('POST', '/event_destinations', { body: { format: 'json', target: { kinesis: KINESIS } } }),
    'id',
  );
  const sources = [{ type: 'ip_policy_created.v0' }];
  await server.call('POST', '/event_subscriptions', { body: { sources, destination_ids: [dead] } });
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  const made = await server.call('POST', '/ip_policies', { body: {}, headers });
  expect(made.status).toBe(201);
  await server.call('GET', URL_PATH);
  await eventually(async () => (await server.server.store.outbox.dead()) === 1);
  await server.stop();

  const spans = received['/v1/traces'].flatMap(one =>
    one.resourceSpans.flatMap(two => two.scopeSpans.flatMap(three => three.spans)),
  );
  const create = spans.find(one => one.name === 'POST /ip_policies')!;
  expect([create.traceId, create.parentSpanId]).toEqual([TRACE, PARENT]);
  const shown = Object.fromEntries(create.attributes.map(({ key }) => [key, textOfAttribute(create.attributes, key)]));
  expect(shown).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'http.route': '/ip_policies',
    'tollgate.operation': 'IpPoliciesCreate',
    'tollgate.operation_id': made.headers.get('service-operation-id'),
  });
  expect(spans.find(one => one.name === 'GET')?.attributes.some(({ key }) => key === 'http.route')).toBe(false);
  expect(spans.find(one => one.name === 'send ip_policy_created.v0')?.status).toEqual({
    code: 2,
    message: 'this server does not deliver to `kinesis`',
  });
  const [resource] = received['/v1/traces'].flatMap(one => one.resourceSpans.map(two => two.resource));
  expect(textOfAttribute(resource!.attributes, 'service.name')).toBe('tollgate');

  const line = server.log.map(text => JSON.parse(text)).find(one => one.op === shown['tollgate.operation_id']);
  expect(line).toMatchObject({ trace_id: TRACE, span_id: create.spanId, operation: 'IpPoliciesCreate' });

  const metrics = received['/v1/metrics']
    .at(-1)!
    .resourceMetrics.flatMap(one => one.scopeMetrics.flatMap(two => two.metrics));
  const pointsOf = (name: string): readonly Point[] => {
    const { gauge, sum, histogram } = metrics.find(one => one.name === name) ?? {};
    return (gauge ?? sum ?? histogram)?.dataPoints ?? [];
  };
  const figureOf = (name: string) => pointsOf(name)[0]?.asDouble ?? pointsOf(name)[0]?.asInt;
  expect([figureOf('tollgate.events.pending'), figureOf('tollgate.events.dead')]).toEqual([0, 1]);
  expect(figureOf('http.server.active_requests')).toBe(0);
  expect(figureOf('tollgate.event.deliveries')).toBe(1);
  const durations = pointsOf('http.server.request.duration');
  const ofCreate = durations.find(one => textOfAttribute(one.attributes, 'tollgate.operation') === 'IpPoliciesCreate');
  expect(ofCreate?.count).toBe(1);
});

it('logs that a collector does not answer, and stops nevertheless', async () => {
  const other = await startTestServer({ otlpEndpoint: 'http://127.0.0.1:9' });
  expect((await other.call('GET', '/healthz')).status).toBe(200);
  await other.stop();
  expect(other.log.map(text => JSON.parse(text).msg)).toContain('cannot send traces or metrics');
});

const KINESIS = {
  auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/example' } },
  stream_arn: 'arn:aws:kinesis:us-east-2:123456789012:stream/example',
};
