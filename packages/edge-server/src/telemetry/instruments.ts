import type { Counter, Histogram, Meter } from '@opentelemetry/api';
import type { Gauges } from './telemetry.ts';

/** The metrics that requests and deliveries change. */
export interface Instruments {
  readonly requestDuration: Histogram;
  readonly deliveries: Counter;
}

/** Boundaries of the semantic conventions, with smaller ones, because most responses take less than 5 ms. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Creates the metrics of a server, and the gauges that are read when metrics are sent. */
export function createInstruments(meter: Meter, { inFlight, pending, dead }: Gauges): Instruments {
  meter
    .createObservableUpDownCounter('http.server.active_requests', {
      description: 'Requests in progress.',
      unit: '{request}',
    })
    .addCallback(result => result.observe(inFlight()));
  meter
    .createObservableGauge('tollgate.events.pending', {
      description: 'Events that have not been delivered yet.',
      unit: '{event}',
    })
    .addCallback(async result => result.observe(await pending()));
  meter
    .createObservableGauge('tollgate.events.dead', {
      description: 'Dead letters: events whose delivery was abandoned.',
      unit: '{event}',
    })
    .addCallback(async result => result.observe(await dead()));
  return {
    requestDuration: meter.createHistogram('http.server.request.duration', {
      description: 'Duration of requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    }),
    deliveries: meter.createCounter('tollgate.event.deliveries', {
      description: 'Attempts to deliver events, by outcome.',
      unit: '{attempt}',
    }),
  };
}
