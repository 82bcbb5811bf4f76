import { type Attributes, metrics, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, textOf } from './test-server.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

/** Registers an SDK that keeps what it is given, as an operator would register one that sends it. */
function registerSdk() {
  const spans = new InMemorySpanExporter();
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: figures, exportIntervalMillis: 3_600_000 });
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { spans, figures, reader };
}

afterEach(() => {
  trace.disable();
  metrics.disable();
  propagation.disable();
});

const KINESIS = {
  auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/example' } },
  stream_arn: 'arn:aws:kinesis:us-east-2:123456789012:stream/example',
};

it('gives the SDK a span of each request and delivery, and the metrics', async () => {
  const { spans, figures, reader } = registerSdk();
  const server = await startTestServer({ eventTries: 1 });
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
  await server.call('GET', '/elsewhere');
  await eventually(async () => (await server.server.store.outbox.dead()) === 1);
  await reader.forceFlush();
  await server.stop();

  const finished = spans.getFinishedSpans();
  const create = finished.find(one => one.name === 'POST /ip_policies')!;
  expect([create.spanContext().traceId, create.parentSpanContext?.spanId]).toEqual([TRACE, PARENT]);
  expect(create.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'http.route': '/ip_policies',
    'tollgate.operation': 'IpPoliciesCreate',
    'tollgate.operation_id': made.headers.get('service-operation-id'),
  });
  expect(finished.find(one => one.name === 'GET')?.attributes).not.toHaveProperty('http.route');
  expect(finished.find(one => one.name === 'send ip_policy_created.v0')?.status).toEqual({
    code: 2,
    message: 'this server does not deliver to `kinesis`',
  });

  const line = server.log
    .map(text => JSON.parse(text))
    .find(one => one.op === create.attributes['tollgate.operation_id']);
  expect(line).toMatchObject({
    trace_id: TRACE,
    span_id: create.spanContext().spanId,
    operation: 'IpPoliciesCreate',
  });

  const all = figures.getMetrics().flatMap(one => one.scopeMetrics.flatMap(two => two.metrics));
  const pointsOf = (name: string): readonly { readonly attributes: Attributes; readonly value: unknown }[] =>
    all.findLast(one => one.descriptor.name === name)?.dataPoints ?? [];
  const figureOf = (name: string) => pointsOf(name)[0]?.value;
  expect([figureOf('tollgate.events.pending'), figureOf('tollgate.events.dead')]).toEqual([0, 1]);
  expect(figureOf('http.server.active_requests')).toBe(0);
  expect(figureOf('tollgate.event.deliveries')).toBe(1);
  const ofCreate = pointsOf('http.server.request.duration').find(
    one => one.attributes['tollgate.operation'] === 'IpPoliciesCreate',
  );
  expect(ofCreate?.value).toMatchObject({ count: 1 });
});

it('stops reading the gauges with the server', async () => {
  const { figures, reader } = registerSdk();
  const server = await startTestServer();
  await server.stop();
  figures.reset();
  await reader.forceFlush();
  expect(figures.getMetrics().flatMap(one => one.scopeMetrics.flatMap(two => two.metrics))).toEqual([]);
});

it('records nothing without an SDK', async () => {
  const server = await startTestServer();
  const made = await server.call('POST', '/ip_policies', { body: {} });
  expect(made.status).toBe(201);
  await server.stop();
  const line = server.log
    .map(text => JSON.parse(text))
    .find(one => one.op === made.headers.get('service-operation-id'));
  expect(line).toMatchObject({ operation: 'IpPoliciesCreate' });
  expect(line).not.toHaveProperty('trace_id');
});
