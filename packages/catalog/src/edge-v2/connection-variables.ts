import type { Availability, VariableFact } from '../schema/fact.ts';
import { EVERYWHERE, HTTP, HTTP_OUTBOUND, TLS } from './availability.ts';

const NOT_LOCATED = { when: 'the address cannot be located', value: "''" } as const;
const NO_CERTIFICATE = { when: 'the peer presented no certificate', value: "''" } as const;
const NO_SERVER_NAME = { when: 'the client sent no server name', value: "''" } as const;

const CLIENT_VARIABLES = [
  {
    ...EVERYWHERE,
    path: 'conn.ClientIP',
    type: 'string',
    role: 'client-address',
    doc: 'The source address of the connection, IPv4 or IPv6. Headers such as `X-Forwarded-For` do not affect it.',
    example: { expression: "conn.ClientIP == '203.0.113.7'", value: 'true' },
    sample: '203.0.113.7',
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.CountryCode',
    type: 'string',
    role: 'country-code',
    doc: 'The country of the client address, as an ISO 3166-1 alpha-2 code.',
    example: { expression: "conn.Geo.CountryCode in ['DE', 'FR']", value: 'true' },
    sample: 'DE',
    absent: NOT_LOCATED,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.Latitude',
    type: 'string',
    role: 'numeric-string',
    doc: 'The latitude of the client address in degrees, as a string. Convert it with `double()` before comparing.',
    example: { expression: 'double(conn.Geo.Latitude) > 50.0', value: 'true' },
    sample: '52.5200',
    absent: NOT_LOCATED,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.Longitude',
    type: 'string',
    role: 'numeric-string',
    doc: 'The longitude of the client address in degrees, as a string. Convert it with `double()` before comparing.',
    example: { expression: 'double(conn.Geo.Longitude) < 14.0', value: 'true' },
    sample: '13.4050',
    absent: NOT_LOCATED,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.LatLongRadiusKm',
    type: 'string',
    role: 'numeric-string',
    doc: 'The radius in kilometres around latitude and longitude that probably contains the client, as a string. Convert it with `int()` before comparing.',
    example: { expression: 'int(conn.Geo.LatLongRadiusKm) <= 20', value: 'true' },
    sample: '20',
    absent: NOT_LOCATED,
    source: 'documented',
  },
] as const satisfies readonly VariableFact[];

export const CONNECTION_VARIABLES = [
  ...CLIENT_VARIABLES,
  ...tlsVariables('conn.TLS', TLS, 'of the client'),
  ...tlsVariables('req.ClientTLS', HTTP, 'of the client'),
  ...tlsVariables('res.ServerTLS', HTTP_OUTBOUND, 'to the upstream'),
] as const satisfies readonly VariableFact[];

/** The same four variables for each of three TLS connections. */
function tlsVariables(path: string, availability: Availability, whose: string): readonly VariableFact[] {
  return [
    {
      ...availability,
      path: `${path}.CertCN`,
      type: 'string',
      needsTermination: true,
      doc: `The common name in the subject of the peer's certificate on the TLS connection ${whose}.`,
      example: { expression: `${path}.CertCN == 'device-17.example.com'`, value: 'true' },
      sample: 'device-17.example.com',
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
    {
      ...availability,
      path: `${path}.CipherSuite`,
      type: 'string',
      needsTermination: true,
      doc: `The cipher suite of the TLS connection ${whose}, by its IANA name.`,
      example: { expression: `${path}.CipherSuite.startsWith('TLS_AES_')`, value: 'true' },
      sample: 'TLS_AES_128_GCM_SHA256',
      source: 'inferred',
    },
    {
      ...availability,
      path: `${path}.SNI`,
      type: 'string',
      doc: `The server name (SNI) in the handshake of the TLS connection ${whose}.`,
      example: { expression: `${path}.SNI.endsWith('.example.com')`, value: 'true' },
      sample: 'app.example.com',
      absent: NO_SERVER_NAME,
      source: 'documented',
    },
    {
      ...availability,
      path: `${path}.Version`,
      type: 'string',
      needsTermination: true,
      role: 'tls-version',
      doc: `The protocol version of the TLS connection ${whose}. The exact spelling is not published; test with \`contains('1.3')\`.`,
      example: { expression: `${path}.Version.contains('1.3')`, value: 'true' },
      sample: 'TLS 1.3',
      source: 'inferred',
    },
  ];
}
