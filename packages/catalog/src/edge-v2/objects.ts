import type { Availability, ObjectFact } from '../schema/fact.ts';

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

const ONLY_IN_RESPONSES = 'the cookie comes from a request';

export const OBJECTS = [
  { name: 'conn', doc: 'The connection that carries the traffic.' },
  { name: 'conn.Geo', doc: 'The location of the client address.' },
  { name: 'conn.TLS', doc: 'The TLS connection to the client.' },
  { name: 'req', doc: 'The request, including changes by earlier actions.' },
  { name: 'req.ClientTLS', doc: 'The TLS connection to the client.' },
  { name: 'res', doc: 'The response, including changes by earlier actions.' },
  { name: 'res.ServerTLS', doc: 'The TLS connection to the upstream.' },
  {
    name: 'cookie',
    doc: 'A cookie that a request sends or a response sets.',
    fields: [
      { name: 'Name', type: 'string', doc: 'The name.', source: 'documented' },
      { name: 'Value', type: 'string', doc: 'The value, without quotes.', source: 'documented' },
      {
        name: 'Path',
        type: 'string',
        doc: 'The Path attribute.',
        absent: { when: ONLY_IN_RESPONSES, value: "''" },
        source: 'inferred',
      },
      {
        name: 'Domain',
        type: 'string',
        doc: 'The Domain attribute.',
        absent: { when: ONLY_IN_RESPONSES, value: "''" },
        source: 'inferred',
      },
      {
        name: 'Expires',
        type: 'timestamp',
        doc: 'The Expires attribute as a timestamp.',
        absent: { when: 'the cookie has no such attribute' },
        source: 'inferred',
      },
      {
        name: 'RawExpires',
        type: 'string',
        doc: 'The Expires attribute as written.',
        absent: { when: ONLY_IN_RESPONSES, value: "''" },
        source: 'inferred',
      },
      {
        name: 'MaxAge',
        type: 'int',
        doc: 'The Max-Age attribute in seconds; 0 if absent, -1 to delete the cookie.',
        absent: { when: ONLY_IN_RESPONSES, value: '0' },
        source: 'inferred',
      },
      {
        name: 'Secure',
        type: 'bool',
        doc: 'Whether the Secure attribute is set.',
        absent: { when: ONLY_IN_RESPONSES, value: 'false' },
        source: 'documented',
      },
      {
        name: 'HttpOnly',
        type: 'bool',
        doc: 'Whether the HttpOnly attribute is set.',
        absent: { when: ONLY_IN_RESPONSES, value: 'false' },
        source: 'inferred',
      },
      {
        name: 'SameSite',
        type: 'int',
        doc: 'The SameSite attribute: 0 if absent, 1 without a value, 2 Lax, 3 Strict, 4 None.',
        absent: { when: ONLY_IN_RESPONSES, value: '0' },
        source: 'inferred',
      },
      {
        name: 'Raw',
        type: 'string',
        doc: 'The complete Set-Cookie header of a response.',
        absent: { when: ONLY_IN_RESPONSES, value: "''" },
        source: 'inferred',
      },
      {
        name: 'Unparsed',
        type: 'list(string)',
        doc: 'Unknown attributes, as written.',
        absent: { when: ONLY_IN_RESPONSES, value: '[]' },
        source: 'inferred',
      },
    ],
  },
] as const satisfies readonly ObjectFact[];
