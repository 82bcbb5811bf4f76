import type { Availability } from '../schema/fact.ts';
import type { SnakeAvailability } from '../snake-case/objects.ts';

const HTTP_ENDPOINTS = ['http-endpoint', 'internal-http-endpoint', 'https-route', 'cloud-endpoint'] as const;

/** Combinations of phases and endpoints that facts share. */
export const EVERYWHERE = {
  phases: ['on_tcp_connect', 'on_http_request', 'on_http_response', 'on_event_stream_message'],
  endpoints: [...HTTP_ENDPOINTS, 'tls-endpoint', 'tcp-endpoint', 'tls-edge', 'tcp-edge'],
} as const satisfies Availability;

export const HTTP = {
  phases: ['on_http_request', 'on_http_response', 'on_event_stream_message'],
  endpoints: HTTP_ENDPOINTS,
} as const satisfies Availability;

export const RESPONSE = {
  phases: ['on_http_response', 'on_event_stream_message'],
  endpoints: HTTP_ENDPOINTS,
} as const satisfies Availability;

export const AVAILABILITY: SnakeAvailability = { connection: EVERYWHERE, tls: HTTP, http: HTTP, response: RESPONSE };

/** Where actions may be used. */
export const ON_REQUEST = { phases: ['on_http_request'], endpoints: HTTP_ENDPOINTS } as const satisfies Availability;

export const ON_RESPONSE = { phases: ['on_http_response'], endpoints: HTTP_ENDPOINTS } as const satisfies Availability;

export const ON_BOTH = {
  phases: ['on_http_request', 'on_http_response'],
  endpoints: HTTP_ENDPOINTS,
} as const satisfies Availability;

export const ON_CONNECT_AND_REQUEST = {
  phases: ['on_tcp_connect', 'on_http_request'],
  endpoints: EVERYWHERE.endpoints,
} as const satisfies Availability;

export const ON_ALL = {
  phases: ['on_tcp_connect', 'on_http_request', 'on_http_response'],
  endpoints: EVERYWHERE.endpoints,
} as const satisfies Availability;

export const ON_CONNECT_WITH_TLS = {
  phases: ['on_tcp_connect'],
  endpoints: ['http-endpoint', 'cloud-endpoint', 'tls-edge', 'tls-endpoint'],
} as const satisfies Availability;

export const ON_EVENT_STREAM = {
  phases: ['on_event_stream_message'],
  endpoints: HTTP_ENDPOINTS,
} as const satisfies Availability;
