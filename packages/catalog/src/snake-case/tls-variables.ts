import type { Availability, VariableFact } from '../schema/fact.ts';
import { stringVariables } from './string-variables.ts';

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
