import type { Delivery } from '../store/store.ts';

/** Sends traces and metrics to a collector. */
export interface Telemetry {
  /** Starts the span of a request, which continues the trace that its headers name. */
  readonly startRequest: (method: string, headers: Readonly<Record<string, unknown>>) => RequestSpan;
  /** Starts the span of an attempt to deliver an event. */
  readonly startDelivery: (delivery: Delivery) => DeliverySpan;
  /** Sends what is left, up to a few seconds. */
  readonly stop: () => Promise<void>;
}

/** The span of a request. */
export interface RequestSpan {
  /** The ids of the trace and the span, for logs. */
  readonly ids: { readonly trace_id: string; readonly span_id: string };
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
export interface DeliverySpan {
  readonly end: (outcome: 'delivered' | 'failed', reason?: string) => void;
}

/** What the gauges of a server show. */
export interface Gauges {
  readonly inFlight: () => number;
  readonly pending: () => Promise<number>;
  readonly dead: () => Promise<number>;
}
