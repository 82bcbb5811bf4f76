// Metrics for Prometheus.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryOutcome } from '../events/dispatcher.ts';
import type { Store } from '../store/store.ts';

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
