import type { Absence, Availability, Source, ValueRole, VariableFact } from '../schema/fact.ts';
import type { SnakeAvailability } from './objects.ts';

/** Name below the common path, sample, documentation and role. */
type StringRow = readonly [name: string, sample: string, doc: string, role?: ValueRole];

/** What all variables of a table have in common. */
interface StringTable extends Availability {
  readonly path: string;
  readonly absent?: Absence;
  readonly source: Source;
  readonly since?: string;
  readonly needsTermination?: true;
}

/** Returns string variables below one path. The example of each compares it with its sample. */
export function stringVariables(table: StringTable, rows: readonly StringRow[]): readonly VariableFact[] {
  const { path, ...shared } = table;
  return rows.map(([name, sample, doc, role]) => ({
    ...shared,
    path: `${path}.${name}`,
    type: 'string',
    doc,
    ...(role && { role }),
    example: { expression: `${path}.${name} == ${JSON.stringify(sample)}`, value: 'true' },
    sample,
  }));
}

const NOT_LOCATED = { when: 'the address cannot be located', value: "''" } as const;

/** Returns the variables that exist throughout a connection. */
export function connectionVariables({ connection, http }: SnakeAvailability): readonly VariableFact[] {
  return [
    ...addressVariables(connection),
    ...stringVariables({ ...connection, path: 'conn.geo', absent: NOT_LOCATED, source: 'documented' }, [
      ['city', 'Berlin', 'The city of the client address, in English.'],
      ['country', 'Germany', 'The country of the client address, in English.'],
      ['country_code', 'DE', 'The country of the client address, as an ISO 3166-1 alpha-2 code.', 'country-code'],
      [
        'latitude',
        '52.5200',
        'The latitude in degrees, as a string. Convert it with `double()` before comparing.',
        'numeric-string',
      ],
      [
        'longitude',
        '13.4050',
        'The longitude in degrees, as a string. Convert it with `double()` before comparing.',
        'numeric-string',
      ],
      [
        'radius',
        '20',
        'The radius in kilometres that probably contains the client, as a string. Convert it with `int()` before comparing.',
        'numeric-string',
      ],
      ['subdivision', 'Land Berlin', 'The state, province or region of the client address, in English.'],
    ]),
    {
      ...http,
      path: 'conn.bytes_in',
      type: 'int',
      doc: 'The number of bytes received from the client on the connection.',
      example: { expression: 'conn.bytes_in < 1000000', value: 'true' },
      sample: 512,
      source: 'documented',
    },
    {
      ...http,
      path: 'conn.bytes_out',
      type: 'int',
      doc: 'The number of bytes sent to the client on the connection.',
      example: { expression: 'conn.bytes_out == 0', value: 'true' },
      sample: 0,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.ts.start',
      type: 'timestamp',
      doc: 'The time at which the connection started.',
      example: { expression: "conn.ts.start.getFullYear('UTC') == 2026", value: 'true' },
      sample: '2026-03-02T10:15:30Z',
      source: 'documented',
    },
  ];
}

function addressVariables(connection: Availability): readonly VariableFact[] {
  return [
    {
      ...connection,
      path: 'conn.client_ip',
      type: 'string',
      role: 'client-address',
      doc: 'The source address of the connection, IPv4 or IPv6. Headers such as `x-forwarded-for` do not affect it.',
      example: { expression: "conn.client_ip == '203.0.113.7'", value: 'true' },
      sample: '203.0.113.7',
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.client_port',
      type: 'int',
      doc: 'The source port of the connection.',
      example: { expression: 'conn.client_port > 1023', value: 'true' },
      sample: 51_312,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_ip',
      type: 'string',
      role: 'server-address',
      doc: 'The address of the edge that accepted the connection.',
      example: { expression: "conn.server_ip == '198.51.100.4'", value: 'true' },
      sample: '198.51.100.4',
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_port',
      type: 'int',
      doc: 'The port of the edge that accepted the connection.',
      example: { expression: 'conn.server_port == 443', value: 'true' },
      sample: 443,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_region',
      type: 'string',
      doc: 'The region of the edge that accepted the connection: `us`, `eu`, `ap`, `au`, `sa`, `jp`, `in`.',
      example: { expression: "conn.server_region in ['eu', 'us']", value: 'true' },
      sample: 'eu',
      source: 'documented',
    },
  ];
}

const NO_CERTIFICATE = { when: 'the peer presented no certificate' } as const;

/** Returns the variables of the TLS connection to the client: its parameters and the certificates of both sides. */
export function tlsVariables(availability: Availability): readonly VariableFact[] {
  return [
    ...handshakeVariables(availability),
    ...certificateVariables({ ...availability, needsTermination: true }, 'conn.tls'),
  ];
}

function handshakeVariables(availability: Availability): readonly VariableFact[] {
  const table = { ...availability, path: 'conn.tls', source: 'documented' } as const;
  return [
    ...stringVariables({ ...table, needsTermination: true }, [
      ['cipher_suite', 'TLS_AES_128_GCM_SHA256', 'The cipher suite of the TLS connection, by its IANA name.'],
      ['version', '1.3', 'The TLS version: `1.2`, `1.3`.', 'tls-version'],
    ]),
    ...stringVariables(table, [
      ['sni', 'app.example.com', 'The server name (SNI) that the client requested; empty if none.'],
    ]),
  ];
}

/** Returns the variables of the certificates of both sides, below a path. */
export function certificateVariables(
  availability: Availability & Pick<VariableFact, 'setBy' | 'needsTermination'>,
  path: string,
): readonly VariableFact[] {
  return [
    ...sideVariables(availability, `${path}.client`),
    pem(availability, `${path}.client`),
    ...sideVariables(availability, `${path}.server`),
  ];
}

type VariableAvailability = Availability & Pick<VariableFact, 'setBy' | 'needsTermination'>;

function sideVariables(availability: VariableAvailability, path: string): readonly VariableFact[] {
  return [
    ...nameVariables(availability, `${path}.subject`, 'device-17.example.com'),
    ...nameVariables(availability, `${path}.issuer`, 'Example Root'),
    ...alternativeNames(availability, `${path}.san`),
    ...stringVariables({ ...availability, path, absent: NO_CERTIFICATE, source: 'documented' }, [
      ['serial_number', '4660', 'The serial number of the certificate.'],
      ['signature_algorithm', 'SHA256-RSA', 'The signature algorithm of the certificate.'],
    ]),
    ...validity(availability, `${path}.validity`),
    {
      ...availability,
      path: `${path}.extensions`,
      type: 'list(certificate_extension)',
      doc: 'The extensions of the certificate.',
      example: { expression: `${path}.extensions.exists(e, e.critical)`, value: 'false' },
      sample: [],
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
  ];
}

function nameVariables(availability: VariableAvailability, path: string, commonName: string): readonly VariableFact[] {
  const lists = [
    'country',
    'locality',
    'organization',
    'organizational_unit',
    'postal_code',
    'province',
    'street_address',
  ];
  return [
    {
      ...availability,
      path,
      type: 'string',
      doc: 'The distinguished name as a string (RFC 2253), with its parts as fields.',
      example: { expression: `${path}.contains(${JSON.stringify(`CN=${commonName}`)})`, value: 'true' },
      sample: `CN=${commonName},O=Example`,
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
    ...stringVariables({ ...availability, path, absent: NO_CERTIFICATE, source: 'documented' }, [
      ['common_name', commonName, 'The common name (CN).'],
    ]),
    ...lists.map(name => ({
      ...stringList(availability, `${path}.${name}`, name === 'organization' ? ['Example'] : []),
      doc: `The values of the ${name.replaceAll('_', ' ')} attribute.`,
    })),
  ];
}

function alternativeNames(availability: VariableAvailability, path: string): readonly VariableFact[] {
  const rows = [
    ['dns_names', ['device-17.example.com'], 'The DNS names.'],
    ['email_addresses', [], 'The email addresses.'],
    ['ip_addresses', [], 'The IP addresses.'],
    ['uris', [], 'The URIs.'],
  ] as const;
  return [
    {
      ...availability,
      path,
      type: 'string',
      doc: 'The subject alternative names of the certificate as a string, with fields by type.',
      example: { expression: `${path}.contains('DNS:device-17')`, value: 'true' },
      sample: 'DNS:device-17.example.com',
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
    ...rows.map(([name, sample, doc]) => ({ ...stringList(availability, `${path}.${name}`, sample), doc })),
  ];
}

function stringList(availability: VariableAvailability, path: string, sample: readonly string[]): VariableFact {
  return {
    ...availability,
    path,
    type: 'list(string)',
    doc: '',
    example: { expression: `size(${path})`, value: String(sample.length) },
    sample,
    absent: NO_CERTIFICATE,
    source: 'documented',
  };
}

function validity(availability: VariableAvailability, path: string): readonly VariableFact[] {
  const shared = { ...availability, type: 'timestamp', absent: NO_CERTIFICATE, source: 'documented' } as const;
  return [
    {
      ...shared,
      path: `${path}.not_before`,
      doc: 'The time from which the certificate is valid.',
      example: { expression: `${path}.not_before < timestamp('2026-01-01T00:00:00Z')`, value: 'true' },
      sample: '2025-06-01T00:00:00Z',
    },
    {
      ...shared,
      path: `${path}.not_after`,
      doc: 'The time until which the certificate is valid.',
      example: { expression: `${path}.not_after - ${path}.not_before > duration('24h')`, value: 'true' },
      sample: '2027-06-01T00:00:00Z',
    },
  ];
}

function pem(availability: VariableAvailability, path: string): VariableFact {
  return {
    ...availability,
    path: `${path}.pem`,
    type: 'string',
    doc: 'The certificate as PEM.',
    example: { expression: `${path}.pem.startsWith('-----BEGIN CERTIFICATE-----')`, value: 'true' },
    sample: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    absent: NO_CERTIFICATE,
    source: 'documented',
  };
}
