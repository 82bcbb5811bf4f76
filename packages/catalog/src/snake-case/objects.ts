import type { ObjectFact } from '../schema/fact.ts';
import { object } from './object.ts';

const CERTIFICATE_OBJECTS = (['client', 'server'] as const).flatMap(side => {
  const whose = side === 'client' ? "the client's certificate" : "the edge's certificate";
  return [
    [side, `What is known of ${whose}.`],
    [`${side}.subject`, `Whom ${whose} is for: a text, and an object.`],
    [`${side}.issuer`, `Who issued ${whose}: a text, and an object.`],
    [`${side}.san`, `Alternative names in ${whose}: a text, and an object.`],
    [`${side}.validity`, `From when to when ${whose} is valid.`],
  ] as const;
});

/** The objects that {@link certificateVariables} make, below a path. */
export function certificateObjects(path: string): readonly ObjectFact[] {
  return CERTIFICATE_OBJECTS.map(([name, doc]) => ({ name: `${path}.${name}`, doc }));
}

/** The objects that both profiles in snake case have. */
export const SNAKE_OBJECTS: readonly ObjectFact[] = [
  { name: 'conn', doc: 'The connection on which the traffic came.' },
  { name: 'conn.geo', doc: 'Where the client address is.' },
  { name: 'conn.ts', doc: 'Moments in the life of the connection.' },
  { name: 'conn.tls', doc: 'The TLS connection of the client.' },
  ...certificateObjects('conn.tls'),
  { name: 'req', doc: 'The request, as earlier actions have left it.' },
  { name: 'req.url', doc: 'The URL of the request: a text, and an object.' },
  { name: 'req.content_type', doc: 'The media type of the body: a text, and an object.' },
  { name: 'req.ts', doc: 'Moments in the life of the request.' },
  { name: 'res', doc: 'The response, as earlier actions have left it.' },
  { name: 'res.content_type', doc: 'The media type of the body: a text, and an object.' },
  {
    name: 'request_cookie',
    doc: 'A cookie that a request sends.',
    fields: [
      { name: 'name', type: 'string', doc: 'Its name.', source: 'documented' },
      { name: 'value', type: 'string', doc: 'Its value.', source: 'documented' },
      {
        name: 'secure',
        type: 'bool',
        doc: 'Has the Secure attribute, which requests do not send.',
        source: 'documented',
      },
    ],
  },
  {
    name: 'response_cookie',
    doc: 'A cookie that a response sets.',
    fields: [
      { name: 'name', type: 'string', doc: 'Its name.', source: 'documented' },
      { name: 'value', type: 'string', doc: 'Its value.', source: 'documented' },
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
      { name: 'secure', type: 'bool', doc: 'Has the Secure attribute.', source: 'documented' },
      { name: 'http_only', type: 'bool', doc: 'Has the HttpOnly attribute.', source: 'documented' },
      {
        name: 'unparsed_attributes',
        type: 'map(string, string)',
        doc: 'Attributes that are none of the known ones, by name.',
        source: 'documented',
      },
    ],
  },
  {
    name: 'certificate_extension',
    doc: 'An extension of a certificate.',
    fields: [
      { name: 'id', type: 'string', doc: 'Its object identifier.', source: 'documented' },
      {
        name: 'critical',
        type: 'bool',
        doc: 'Whoever does not know it must refuse the certificate.',
        source: 'documented',
      },
      { name: 'value', type: 'bytes', doc: 'Its value, as encoded.', source: 'documented' },
    ],
  },
  object('parsed_url', 'The parts of a URL.', [
    ['scheme', 'string', 'Scheme, such as `https`.'],
    ['opaque', 'string', 'What follows the scheme where no slash does.'],
    ['host', 'string', 'Host, with port if given.'],
    ['path', 'string', 'Path, decoded.'],
    ['raw_path', 'string', 'Path as written, where decoding loses something.'],
    ['raw_query', 'string', 'Query, without question mark.'],
    ['fragment', 'string', 'Fragment, decoded.'],
    ['user', 'string', 'User and password, as written.'],
  ]),
];
