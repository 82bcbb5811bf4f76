import type { ObjectFact } from '../schema/fact.ts';

const ONLY_IN_RESPONSES = 'the cookie is one of a request';

export const OBJECTS = [
  { name: 'conn', doc: 'The connection on which the traffic came.' },
  { name: 'conn.Geo', doc: 'Where the client address is.' },
  { name: 'conn.TLS', doc: 'The TLS connection of the client.' },
  { name: 'req', doc: 'The request, as earlier actions have left it.' },
  { name: 'req.ClientTLS', doc: 'The TLS connection of the client.' },
  { name: 'res', doc: 'The response, as earlier actions have left it.' },
  { name: 'res.ServerTLS', doc: 'The TLS connection to the upstream.' },
  {
    name: 'cookie',
    doc: 'A cookie, as a request sends it or a response sets it.',
    fields: [
      { name: 'Name', type: 'string', doc: 'Its name.', source: 'documented' },
      { name: 'Value', type: 'string', doc: 'Its value, without quotes.', source: 'documented' },
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
        doc: 'The Expires attribute as a moment.',
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
        doc: 'The Max-Age attribute in seconds; 0 when there is none, -1 when it asks for deletion.',
        absent: { when: ONLY_IN_RESPONSES, value: '0' },
        source: 'inferred',
      },
      {
        name: 'Secure',
        type: 'bool',
        doc: 'Has the Secure attribute.',
        absent: { when: ONLY_IN_RESPONSES, value: 'false' },
        source: 'documented',
      },
      {
        name: 'HttpOnly',
        type: 'bool',
        doc: 'Has the HttpOnly attribute.',
        absent: { when: ONLY_IN_RESPONSES, value: 'false' },
        source: 'inferred',
      },
      {
        name: 'SameSite',
        type: 'int',
        doc: 'The SameSite attribute: 0 none given, 1 without a value, 2 Lax, 3 Strict, 4 None.',
        absent: { when: ONLY_IN_RESPONSES, value: '0' },
        source: 'inferred',
      },
      {
        name: 'Raw',
        type: 'string',
        doc: 'The whole header line of a response.',
        absent: { when: ONLY_IN_RESPONSES, value: "''" },
        source: 'inferred',
      },
      {
        name: 'Unparsed',
        type: 'list(string)',
        doc: 'Attributes that are none of the known ones, as written.',
        absent: { when: ONLY_IN_RESPONSES, value: '[]' },
        source: 'inferred',
      },
    ],
  },
] as const satisfies readonly ObjectFact[];
