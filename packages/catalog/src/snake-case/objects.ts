import type { Availability, FieldFact, ObjectFact } from '../schema/fact.ts';

/** Where facts in snake case are available, which differs between profiles. */
export interface SnakeAvailability {
  /** Wherever the connection is known. */
  readonly connection: Availability;
  /** Wherever the TLS connection to the client is known. */
  readonly tls: Availability;
  /** Wherever the request is known. */
  readonly http: Availability;
  /** Wherever the response is known. */
  readonly response: Availability;
}

/** Returns an object type. Each row is a field: name, type and documentation. */
export function object(name: string, doc: string, rows: readonly (readonly [string, string, string])[]): ObjectFact {
  const fields = rows.map(
    ([field, type, about]): FieldFact => ({ name: field, type, doc: about, source: 'documented' }),
  );
  return { name, doc, fields };
}

const CERTIFICATE_OBJECTS = (['client', 'server'] as const).flatMap(side => {
  const whose = side === 'client' ? "the client's certificate" : "the edge's certificate";
  return [
    [side, `The details of ${whose}.`],
    [`${side}.subject`, `The subject of ${whose}: a string with fields.`],
    [`${side}.issuer`, `The issuer of ${whose}: a string with fields.`],
    [`${side}.san`, `The subject alternative names of ${whose}: a string with fields.`],
    [`${side}.validity`, `The validity period of ${whose}.`],
  ] as const;
});

/** Returns the objects of {@link certificateVariables} below a path. */
export function certificateObjects(path: string): readonly ObjectFact[] {
  return CERTIFICATE_OBJECTS.map(([name, doc]) => ({ name: `${path}.${name}`, doc }));
}

/** Objects of both profiles in snake case. */
export const SNAKE_OBJECTS: readonly ObjectFact[] = [
  { name: 'conn', doc: 'The connection that carries the traffic.' },
  { name: 'conn.geo', doc: 'The location of the client address.' },
  { name: 'conn.ts', doc: 'Timestamps of the connection.' },
  { name: 'conn.tls', doc: 'The TLS connection to the client.' },
  ...certificateObjects('conn.tls'),
  { name: 'req', doc: 'The request, including changes by earlier actions.' },
  { name: 'req.url', doc: 'The URL of the request: a string with fields.' },
  { name: 'req.content_type', doc: 'The media type of the body: a string with fields.' },
  { name: 'req.ts', doc: 'Timestamps of the request.' },
  { name: 'res', doc: 'The response, including changes by earlier actions.' },
  { name: 'res.content_type', doc: 'The media type of the body: a string with fields.' },
  {
    name: 'request_cookie',
    doc: 'A cookie that a request sends.',
    fields: [
      { name: 'name', type: 'string', doc: 'The name.', source: 'documented' },
      { name: 'value', type: 'string', doc: 'The value.', source: 'documented' },
      {
        name: 'secure',
        type: 'bool',
        doc: 'Whether the Secure attribute is set; never in requests.',
        source: 'documented',
      },
    ],
  },
  {
    name: 'response_cookie',
    doc: 'A cookie that a response sets.',
    fields: [
      { name: 'name', type: 'string', doc: 'The name.', source: 'documented' },
      { name: 'value', type: 'string', doc: 'The value.', source: 'documented' },
      { name: 'path', type: 'string', doc: 'The Path attribute.', source: 'documented' },
      { name: 'domain', type: 'string', doc: 'The Domain attribute.', source: 'documented' },
      { name: 'same_site', type: 'string', doc: 'The SameSite attribute.', source: 'documented' },
      {
        name: 'expires',
        type: 'timestamp',
        doc: 'The Expires attribute.',
        absent: { when: 'the cookie has no such attribute' },
        source: 'documented',
      },
      {
        name: 'max_age',
        type: 'duration',
        doc: 'The Max-Age attribute.',
        absent: { when: 'the cookie has no such attribute' },
        source: 'documented',
      },
      { name: 'secure', type: 'bool', doc: 'Whether the Secure attribute is set.', source: 'documented' },
      { name: 'http_only', type: 'bool', doc: 'Whether the HttpOnly attribute is set.', source: 'documented' },
      {
        name: 'unparsed_attributes',
        type: 'map(string, string)',
        doc: 'Unknown attributes, by name.',
        source: 'documented',
      },
    ],
  },
  {
    name: 'certificate_extension',
    doc: 'An extension of a certificate.',
    fields: [
      { name: 'id', type: 'string', doc: 'The object identifier.', source: 'documented' },
      {
        name: 'critical',
        type: 'bool',
        doc: 'Whether recipients that do not know the extension must reject the certificate.',
        source: 'documented',
      },
      { name: 'value', type: 'bytes', doc: 'The encoded value.', source: 'documented' },
    ],
  },
  object('parsed_url', 'The parts of a URL.', [
    ['scheme', 'string', 'The scheme, such as `https`.'],
    ['opaque', 'string', 'Everything after the scheme if no slash follows it.'],
    ['host', 'string', 'The host, with the port if given.'],
    ['path', 'string', 'The decoded path.'],
    ['raw_path', 'string', 'The path as written, if decoding loses information.'],
    ['raw_query', 'string', 'The query, without the question mark.'],
    ['fragment', 'string', 'The decoded fragment.'],
    ['user', 'string', 'The user name and password, as written.'],
  ]),
];
