// What a server says about its work: traces and metrics through the API of OpenTelemetry (the operator brings the SDK; without one,
// nothing is recorded), and metrics for Prometheus.

import {
  type Context,
  defaultTextMapGetter,
  isSpanContextValid,
  metrics,
  type ObservableResult,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryOutcome } from '../events/dispatcher.ts';
import type { Delivery, Store } from '../store/store.ts';

/** Spans of requests and deliveries, and metrics of both. */
export interface Telemetry {
  /** Starts the span of a request, which continues the trace that its headers name. */
  readonly startRequest: (method: string, headers: Readonly<Record<string, unknown>>) => RequestSpan;
  /** Starts the span of an attempt to deliver an event. */
  readonly startDelivery: (delivery: Delivery) => DeliverySpan;
  /** Stops reading the gauges. */
  readonly stop: () => void;
}

/** The span of a request. */
export interface RequestSpan {
  /** The ids of the trace and the span, for logs; undefined if there is no SDK. */
  readonly ids: { readonly trace_id: string; readonly span_id: string } | undefined;
  readonly end: (facts: RequestFacts) => void;
}

/** What is known about a request at its end. */
interface RequestFacts {
  readonly id: string;
  /** `none` if no operation matched. */
  readonly operation: string;
  /** The path of the operation with its parameters in braces; undefined if none matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
  /** The identifier of the API key. */
  readonly key: string | undefined;
}

/** The span of an attempt to deliver an event. */
interface DeliverySpan {
  readonly end: (outcome: 'delivered' | 'failed', reason?: string) => void;
}

/** What the gauges of a server show. */
interface Gauges {
  readonly inFlight: () => number;
  readonly pending: () => Promise<number>;
  readonly dead: () => Promise<number>;
}

/** Boundaries of the semantic conventions, with smaller ones, because most responses take less than 5 ms. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Creates the telemetry of a server. Names follow the semantic conventions. */
export function createTelemetry(gauges: Gauges): Telemetry {
  const meter = metrics.getMeter('tollgate');
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const deliveries = meter.createCounter('tollgate.event.deliveries', {
    description: 'Attempts to deliver events, by outcome.',
    unit: '{attempt}',
  });
  return {
    startRequest: (method, headers) => startRequest(method, headers, (...measured) => duration.record(...measured)),
    startDelivery: delivery => startDelivery(delivery, attributes => deliveries.add(1, attributes)),
    stop: observe(gauges),
  };
}

/** Lets the SDK read the gauges, and returns what ends that. */
function observe({ inFlight, pending, dead }: Gauges): () => void {
  const meter = metrics.getMeter('tollgate');
  const active = meter.createObservableUpDownCounter('http.server.active_requests', {
    description: 'Requests in progress.',
    unit: '{request}',
  });
  const waiting = meter.createObservableGauge('tollgate.events.pending', {
    description: 'Events that have not been delivered yet.',
    unit: '{event}',
  });
  const abandoned = meter.createObservableGauge('tollgate.events.dead', {
    description: 'Dead letters: events whose delivery was abandoned.',
    unit: '{event}',
  });
  const read = [
    [active, (result: ObservableResult) => result.observe(inFlight())],
    [waiting, async (result: ObservableResult) => result.observe(await pending())],
    [abandoned, async (result: ObservableResult) => result.observe(await dead())],
  ] as const;
  for (const [gauge, callback] of read) gauge.addCallback(callback);
  return () => {
    for (const [gauge, callback] of read) gauge.removeCallback(callback);
  };
}

function startRequest(
  method: string,
  headers: Readonly<Record<string, unknown>>,
  record: (seconds: number, attributes: Readonly<Record<string, string | number>>) => void,
): RequestSpan {
  const parent: Context = propagation.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
  const span = trace.getTracer('tollgate').startSpan(method, options, parent);
  const context = span.spanContext();
  return {
    ids: isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : undefined,
    end: ({ id, operation, route, status, seconds, key }) => {
      const http = { 'http.request.method': method, 'http.response.status_code': status };
      const shared = { ...http, ...(route !== undefined && { 'http.route': route }) };
      if (route !== undefined) span.updateName(`${method} ${route}`);
      span.setAttributes({ ...shared, 'tollgate.operation': operation, 'tollgate.operation_id': id });
      if (key !== undefined) span.setAttribute('tollgate.api_key.id', key);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      record(seconds, { ...shared, 'tollgate.operation': operation });
    },
  };
}

function startDelivery(
  { eventId, eventType, destinationId, attempts }: Delivery,
  count: (attributes: Readonly<Record<string, string>>) => void,
): DeliverySpan {
  const attributes = {
    'messaging.operation.type': 'send',
    'messaging.message.id': eventId,
    'messaging.destination.name': destinationId,
    'tollgate.event.type': eventType,
    'tollgate.event.tries': attempts + 1,
  };
  const span = trace.getTracer('tollgate').startSpan(`send ${eventType}`, { kind: SpanKind.PRODUCER, attributes });
  return {
    end: (outcome, reason) => {
      span.setAttribute('tollgate.event.outcome', outcome);
      if (reason !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
      span.end();
      count({ 'tollgate.event.outcome': outcome });
    },
  };
}

// Metrics for Prometheus.

/** The metrics of the server, for Prometheus. */
export interface Metrics {
  readonly countRequest: (operation: string, status: number, seconds: number) => void;
  readonly countDelivery: (outcome: DeliveryOutcome) => void;
  /** Counts an attempt to deliver an event that took this many seconds. */
  readonly timeDelivery: (outcome: 'delivered' | 'failed', seconds: number) => void;
  readonly contentType: string;
  /** Returns all metrics in the text format. */
  readonly render: () => Promise<string>;
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Creates the metrics of a server of a version; `inFlight` returns the number of running requests. */
export function createMetrics(store: Store, inFlight: () => number, version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'tollgate_http_requests_total',
    help: 'HTTP requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  const deliveries = new Counter({
    name: 'tollgate_event_deliveries_total',
    help: 'Attempts to deliver events, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const times = new Histogram({
    name: 'tollgate_event_delivery_duration_seconds',
    help: 'Duration of attempts to deliver events, by outcome.',
    labelNames: ['outcome'],
    buckets: BUCKETS,
    registers,
  });
  addGauges(registry, store, inFlight);
  addDatabase(registry, store);
  const build = new Gauge({
    name: 'tollgate_build_info',
    help: 'The version of the server and of Node, as labels.',
    labelNames: ['version', 'node'],
    registers,
  });
  build.set({ version, node: process.version }, 1);
  return {
    countRequest: (operation, status, seconds) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    countDelivery: outcome => deliveries.inc({ outcome }),
    timeDelivery: (outcome, seconds) => times.observe({ outcome }, seconds),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function addGauges(registry: Registry, store: Store, inFlight: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'tollgate_http_requests_in_flight',
    help: 'HTTP requests in progress.',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({
    name: 'tollgate_events_pending',
    help: 'Events that have not been delivered yet.',
    registers,
    async collect() {
      this.set(await store.outbox.pending());
    },
  });
  new Gauge({
    name: 'tollgate_events_dead',
    help: 'Dead letters: events whose delivery was abandoned.',
    registers,
    async collect() {
      this.set(await store.outbox.dead());
    },
  });
}

function addDatabase(registry: Registry, store: Store): void {
  const registers = [registry];
  new Gauge({
    name: 'tollgate_database_connections',
    help: 'Connections to the database, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy, idle } = store.load();
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'tollgate_database_waiting',
    help: 'Transactions that wait for a connection to the database.',
    registers,
    collect() {
      this.set(store.load().waiting);
    },
  });
}
