import type { Availability, VariableFact } from '../schema/fact.ts';
import { textVariables } from './string-variables.ts';

const NO_CERTIFICATE = { when: 'the peer showed no certificate' } as const;

/** The TLS connection of the client: how it was agreed upon, and the certificates of both sides. */
export function tlsVariables(place: Availability): readonly VariableFact[] {
  return [...handshakeVariables(place), ...certificateVariables({ ...place, needsTermination: true }, 'conn.tls')];
}

function handshakeVariables(place: Availability): readonly VariableFact[] {
  const table = { ...place, path: 'conn.tls', source: 'documented' } as const;
  return [
    ...textVariables({ ...table, needsTermination: true }, [
      ['cipher_suite', 'TLS_AES_128_GCM_SHA256', 'Cipher suite of the TLS connection, by its IANA name.'],
      ['version', '1.3', 'Version of TLS: `1.2`, `1.3`.', 'tls-version'],
    ]),
    ...textVariables(table, [
      ['sni', 'app.example.com', 'Server name that the client asked for; empty when it named none.'],
    ]),
  ];
}

/** What is known of the certificates of both sides, below a path. `more` is shared by all of the facts. */
export function certificateVariables(
  place: Availability & Pick<VariableFact, 'setBy' | 'needsTermination'>,
  path: string,
): readonly VariableFact[] {
  return [
    ...sideVariables(place, `${path}.client`),
    pem(place, `${path}.client`),
    ...sideVariables(place, `${path}.server`),
  ];
}

type Place = Availability & Pick<VariableFact, 'setBy' | 'needsTermination'>;

function sideVariables(place: Place, path: string): readonly VariableFact[] {
  return [
    ...nameVariables(place, `${path}.subject`, 'device-17.example.com'),
    ...nameVariables(place, `${path}.issuer`, 'Example Root'),
    ...alternativeNames(place, `${path}.san`),
    ...textVariables({ ...place, path, absent: NO_CERTIFICATE, source: 'documented' }, [
      ['serial_number', '4660', 'Serial number of the certificate.'],
      ['signature_algorithm', 'SHA256-RSA', 'Algorithm that the certificate is signed with.'],
    ]),
    ...validity(place, `${path}.validity`),
    {
      ...place,
      path: `${path}.extensions`,
      type: 'list(certificate_extension)',
      doc: 'Extensions of the certificate.',
      example: { expression: `${path}.extensions.exists(e, e.critical)`, value: 'false' },
      sample: [],
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
  ];
}

function nameVariables(place: Place, path: string, commonName: string): readonly VariableFact[] {
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
      ...place,
      path,
      type: 'string',
      doc: 'The distinguished name as text (RFC 2253), with its parts as fields.',
      example: { expression: `${path}.contains(${JSON.stringify(`CN=${commonName}`)})`, value: 'true' },
      sample: `CN=${commonName},O=Example`,
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
    ...textVariables({ ...place, path, absent: NO_CERTIFICATE, source: 'documented' }, [
      ['common_name', commonName, 'The common name (CN).'],
    ]),
    ...lists.map(name => ({
      ...textList(place, `${path}.${name}`, name === 'organization' ? ['Example'] : []),
      doc: `Values of the attribute ${name.replaceAll('_', ' ')}.`,
    })),
  ];
}

function alternativeNames(place: Place, path: string): readonly VariableFact[] {
  const rows = [
    ['dns_names', ['device-17.example.com'], 'Names of hosts.'],
    ['email_addresses', [], 'Addresses of mail.'],
    ['ip_addresses', [], 'Addresses of IP.'],
    ['uris', [], 'URIs.'],
  ] as const;
  return [
    {
      ...place,
      path,
      type: 'string',
      doc: 'The alternative names of the certificate as text, with their kinds as fields.',
      example: { expression: `${path}.contains('DNS:device-17')`, value: 'true' },
      sample: 'DNS:device-17.example.com',
      absent: NO_CERTIFICATE,
      source: 'documented',
    },
    ...rows.map(([name, sample, doc]) => ({ ...textList(place, `${path}.${name}`, sample), doc })),
  ];
}

function textList(place: Place, path: string, sample: readonly string[]): VariableFact {
  return {
    ...place,
    path,
    type: 'list(string)',
    doc: '',
    example: { expression: `size(${path})`, value: String(sample.length) },
    sample,
    absent: NO_CERTIFICATE,
    source: 'documented',
  };
}

function validity(place: Place, path: string): readonly VariableFact[] {
  const shared = { ...place, type: 'timestamp', absent: NO_CERTIFICATE, source: 'documented' } as const;
  return [
    {
      ...shared,
      path: `${path}.not_before`,
      doc: 'First moment at which the certificate is valid.',
      example: { expression: `${path}.not_before < timestamp('2026-01-01T00:00:00Z')`, value: 'true' },
      sample: '2025-06-01T00:00:00Z',
    },
    {
      ...shared,
      path: `${path}.not_after`,
      doc: 'Last moment at which the certificate is valid.',
      example: { expression: `${path}.not_after - ${path}.not_before > duration('24h')`, value: 'true' },
      sample: '2027-06-01T00:00:00Z',
    },
  ];
}

function pem(place: Place, path: string): VariableFact {
  return {
    ...place,
    path: `${path}.pem`,
    type: 'string',
    doc: 'The certificate in PEM.',
    example: { expression: `${path}.pem.startsWith('-----BEGIN CERTIFICATE-----')`, value: 'true' },
    sample: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    absent: NO_CERTIFICATE,
    source: 'documented',
  };
}
