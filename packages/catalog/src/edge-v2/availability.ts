import type { Availability } from '../schema/fact.ts';

/** Combinations of phases and endpoints that facts share. */
export const EVERYWHERE = {
  phases: ['inbound', 'outbound'],
  endpoints: ['https-route', 'tls-edge', 'tcp-edge'],
} as const satisfies Availability;

export const HTTP = { phases: ['inbound', 'outbound'], endpoints: ['https-route'] } as const satisfies Availability;

export const HTTP_INBOUND = { phases: ['inbound'], endpoints: ['https-route'] } as const satisfies Availability;

export const HTTP_OUTBOUND = { phases: ['outbound'], endpoints: ['https-route'] } as const satisfies Availability;

export const TLS = { phases: ['inbound', 'outbound'], endpoints: ['tls-edge'] } as const satisfies Availability;

export const ALL_INBOUND = {
  phases: ['inbound'],
  endpoints: ['https-route', 'tls-edge', 'tcp-edge'],
} as const satisfies Availability;
