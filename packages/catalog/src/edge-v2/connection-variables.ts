import type { Availability, VariableFact } from '../schema/fact.ts';
import { EVERYWHERE, HTTP, HTTP_OUTBOUND, TLS } from './availability.ts';

const NOT_LOCATED = { when: 'the address could not be located', value: "''" } as const;
const NO_CERTIFICATE = { when: 'the peer showed no certificate', value: "''" } as const;
const NO_SERVER_NAME = { when: 'the client named no server', value: "''" } as const;

const CLIENT_VARIABLES = [
  {
    ...EVERYWHERE,
    path: 'conn.ClientIP',
    type: 'string',
    role: 'client-address',
    doc: 'Source address of the connection, IPv4 or IPv6, as text. Headers such as `X-Forwarded-For` have no influence on it.',
    example: { expression: "conn.ClientIP == '203.0.113.7'", value: 'true' },
    sample: '203.0.113.7',
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.CountryCode',
    type: 'string',
    role: 'country-code',
    doc: 'Country of the client address: two capital letters of ISO 3166-1.',
    example: { expression: "conn.Geo.CountryCode in ['DE', 'FR']", value: 'true' },
    sample: 'DE',
    absent: NOT_LOCATED,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.Latitude',
    type: 'string',
    role: 'number-text',
    doc: 'Latitude of the client address in degrees, as text. Convert with `double()` before comparing.',
    example: { expression: 'double(conn.Geo.Latitude) > 50.0', value: 'true' },
    sample: '52.5200',
    absent: NOT_LOCATED,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.Longitude',
    type: 'string',
    role: 'number-text',
    doc: 'Longitude of the client address in degrees, as text. Convert with `double()` before comparing.',
    example: { expression: 'double(conn.Geo.Longitude) < 14.0', value: 'true' },
    sample: '13.4050',
    absent: NOT_LOCATED,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.Geo.LatLongRadiusKm',
    type: 'string',
    role: 'number-text',
    doc: 'Radius in kilometres around latitude and longitude in which the client probably is, as text. Convert with `int()` before comparing.',
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

/** The same four facts of three TLS connections. */
function tlsVariables(path: string, availability: Availability, whose: string): readonly VariableFact[] {
  return [
    {
      ...availability,
      path: `${path}.CertCN`,
      type: 'string',
      needsTermination: true,
      doc: `Common name in the subject of the peer's certificate on the TLS connection ${whose}.`,
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
      doc: `Cipher suite of the TLS connection ${whose}, by its IANA name.`,
      example: { expression: `${path}.CipherSuite.startsWith('TLS_AES_')`, value: 'true' },
      sample: 'TLS_AES_128_GCM_SHA256',
      source: 'inferred',
    },
    {
      ...availability,
      path: `${path}.SNI`,
      type: 'string',
      doc: `Server name asked for in the handshake of the TLS connection ${whose}.`,
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
      doc: `Protocol version of the TLS connection ${whose}. The exact spelling is not published: ask with \`contains('1.3')\`.`,
      example: { expression: `${path}.Version.contains('1.3')`, value: 'true' },
      sample: 'TLS 1.3',
      source: 'inferred',
    },
  ];
}
