import { randomUUID } from 'node:crypto';
import { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ServerSettings } from '../settings/settings.ts';
import { createInstruments, type Instruments } from './instruments.ts';
import type { DeliverySpan, Gauges, RequestSpan, Telemetry } from './telemetry.ts';

/** How long a collector may take to accept data, in milliseconds. */
const EXPORT_TIMEOUT = 5_000;
/** How often metrics are sent, in milliseconds. */
const METRIC_INTERVAL = 15_000;

/** Starts sending traces and metrics with OTLP over HTTP. The SDK also reads its own variables, such as `OTEL_EXPORTER_OTLP_HEADERS`. */
export function startTelemetry(
  { otlpEndpoint, traceSampling }: Pick<ServerSettings, 'otlpEndpoint' | 'traceSampling'>,
  gauges: Gauges,
  reportFailure: (error: unknown) => void,
): Telemetry {
  const base = otlpEndpoint.replace(/\/$/, '');
  const resource = describeProcess();
  const options = (signal: string) => ({ url: `${base}/v1/${signal}`, timeoutMillis: EXPORT_TIMEOUT });
  const tracers = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traceSampling / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reporting(new OTLPTraceExporter(options('traces')), reportFailure) }),
    ],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: reporting(new OTLPMetricExporter(options('metrics')), reportFailure),
        exportIntervalMillis: METRIC_INTERVAL,
        exportTimeoutMillis: EXPORT_TIMEOUT,
      }),
    ],
  });
  const tracer = tracers.getTracer('tollgate');
  const instruments = createInstruments(meters.getMeter('tollgate'), gauges);
  return {
    startRequest: requestStarter(tracer, instruments),
    startDelivery: deliveryStarter(tracer, instruments),
    stop: async () => {
      // A collector that is gone is not a reason to fail.
      await Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
    },
  };
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function describeProcess(): Resource {
  const own = resourceFromAttributes({ 'service.name': 'tollgate', 'service.instance.id': randomUUID() });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

interface Exporter {
  export(items: never, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
}

/** The SDK drops what it cannot send without a word. */
function reporting<E extends Exporter>(exporter: E, reportFailure: (error: unknown) => void): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, result => {
      if (result.code !== 0) reportFailure(result.error);
      done(result);
    });
  return exporter;
}

function requestStarter(tracer: Tracer, instruments: Instruments): Telemetry['startRequest'] {
  const propagator = new W3CTraceContextPropagator();
  return (method, headers): RequestSpan => {
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      parent,
    );
    const { traceId, spanId } = span.spanContext();
    return {
      ids: { trace_id: traceId, span_id: spanId },
      end: ({ id, operation, route, status, seconds, key }) => {
        const http = { 'http.request.method': method, 'http.response.status_code': status };
        const shared = { ...http, ...(route !== undefined && { 'http.route': route }) };
        if (route !== undefined) span.updateName(`${method} ${route}`);
        span.setAttributes({ ...shared, 'tollgate.operation': operation, 'tollgate.operation_id': id });
        if (key !== undefined) span.setAttribute('tollgate.api_key.id', key);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        instruments.requestDuration.record(seconds, { ...shared, 'tollgate.operation': operation });
      },
    };
  };
}

function deliveryStarter(tracer: Tracer, instruments: Instruments): Telemetry['startDelivery'] {
  return ({ eventId, eventType, destinationId, attempts }): DeliverySpan => {
    const attributes = {
      'messaging.operation.type': 'send',
      'messaging.message.id': eventId,
      'messaging.destination.name': destinationId,
      'tollgate.event.type': eventType,
      'tollgate.event.tries': attempts + 1,
    };
    const span = tracer.startSpan(`send ${eventType}`, { kind: SpanKind.PRODUCER, attributes });
    return {
      end: (outcome, reason) => {
        span.setAttribute('tollgate.event.outcome', outcome);
        if (reason !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
        span.end();
        instruments.deliveries.add(1, { 'tollgate.event.outcome': outcome });
      },
    };
  };
}
