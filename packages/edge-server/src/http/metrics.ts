import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryOutcome } from '../events/dispatcher.ts';
import type { Store } from '../store/port/store.ts';

/** What the server counts, in the names of Prometheus. */
export interface Metrics {
  readonly countRequest: (operation: string, status: number, seconds: number) => void;
  readonly countDelivery: (outcome: DeliveryOutcome) => void;
  readonly contentType: string;
  /** All of it in the text format. */
  readonly render: () => Promise<string>;
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Makes the metrics of one server; `inFlight` is how many requests are being answered. */
export function createMetrics(store: Store, inFlight: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'tollgate_http_requests_total',
    help: 'Requests that were answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  const deliveries = new Counter({
    name: 'tollgate_event_deliveries_total',
    help: 'Tries to deliver an event, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  addGauges(registry, store, inFlight);
  return {
    countRequest: (operation, status, seconds) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    countDelivery: outcome => deliveries.inc({ outcome }),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function addGauges(registry: Registry, store: Store, inFlight: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'tollgate_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({
    name: 'tollgate_events_pending',
    help: 'Events that are still to be delivered.',
    registers,
    async collect() {
      this.set(await store.outbox.pending());
    },
  });
}
