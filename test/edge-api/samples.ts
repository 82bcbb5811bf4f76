import { EVENT_TYPES, EXAMPLES, exampleId, type Field, type FieldType, type RecordKindName } from '@tollgate/edge-api';

type FormatName = NonNullable<Extract<FieldType, { kind: 'text' }>['formats']>[number]['format'];
type TextType = Extract<FieldType, { kind: 'text' }>;

const CA_PEM = String(EXAMPLES.CertificateAuthority?.ca_pem);

/** A certificate that must not sign others, self-signed; its key was discarded. */
const LEAF_PEM = `-----BEGIN CERTIFICATE-----
MIIBijCCATCgAwIBAgIUXWQDB3nXF4u2CL+BH+ZEKMUI7hQwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQbGVhZi5leGFtcGxlLmNvbTAgFw0yNjExMjEwNDE2NTNaGA8y
MTI2MTAyODA0MTY1M1owGzEZMBcGA1UEAwwQbGVhZi5leGFtcGxlLmNvbTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABG5aR+TFAcXRmchg4YNjxdA0nVli3TsjT5GV
K+Kl6J2ihG7GVgNHkej/jo9EBJGikxGFSRxesU2Y0oj7pfHeixqjUDBOMB0GA1Ud
DgQWBBT9reh7BzypZDCXemCS9Yxadvg82TAfBgNVHSMEGDAWgBT9reh7BzypZDCX
emCS9Yxadvg82TAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIElCRRKd
uMNNEDyQvYvV/BJCx0OLB4KGz53sY6SZvi9NAiEAve63M44hCme6t2Qjeon+9C8z
iGNKWm1PsdHf1v/p4nY=
-----END CERTIFICATE-----
`;

/** Strings that violate one format, and satisfy those that are checked before it. */
export const LACKING: Readonly<Record<FormatName, string>> = {
  'aws-arn': 'arn:aws',
  'aws-role-arn': 'arn:aws:iam::123456789012:user/me',
  'carried-header': 'Transfer-Encoding',
  cidr: '192.0.2.0/33',
  'cidr-lowest-address': '192.0.2.1/24',
  'cidr-mask': '192.0.2.0',
  'cookie-prefix': 'a b',
  domain: 'not a domain',
  email: 'nobody',
  'email-domain': 'nodot',
  'event-type': 'edge_exploded.v0',
  'github-team': 'org/team/more',
  'header-name': 'not a name',
  'header-value': 'two\nlines',
  'host-and-port': 'no-port',
  'https-url': 'http://logs.example.com',
  'lower-case': 'A@Example.com',
  'mutable-request-header': 'User-Agent',
  'not-empty': '',
  'p256-public-key': 'bm90IGEga2V5',
  pem: 'no PEM',
  'pem-certificate': '-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----',
  'pem-single': `${CA_PEM}${CA_PEM}`,
  'port-range': 'a.example.com:65536',
  'route-selector': 'no selector at all',
  'saml-metadata': '<html></html>',
  timestamp: 'yesterday',
  url: 'no url',
  x509: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  'x509-authority': LEAF_PEM,
};

/** Strings in a format, a different one for every index. */
const HAVING: Readonly<Partial<Record<FormatName, (index: number) => string>>> = {
  'aws-arn': index => `arn:aws:kinesis:eu-west-1:123456789012:stream/s${index}`,
  'aws-role-arn': index => `arn:aws:iam::123456789012:role/r${index}`,
  'cidr-mask': index => `10.${index}.0.0/16`,
  domain: index => `d${index}.example.com`,
  email: index => `user${index}@example.com`,
  'email-domain': index => `d${index}.example.com`,
  'event-type': index => EVENT_TYPES[index % EVENT_TYPES.length]!,
  'github-team': index => `org/team${index}`,
  'host-and-port': index => `h${index}.example.com:443`,
  'https-url': index => `https://h${index}.example.com`,
  pem: () => CA_PEM,
  'route-selector': index => `/p${index}`,
  'saml-metadata': index => `<EntityDescriptor entityID="e${index}"></EntityDescriptor>`,
  url: index => `https://h${index}.example.com`,
};

/** Returns a valid value of a type, a different one for every index if the type has as many. */
export function sample(type: FieldType, index = 0): unknown {
  switch (type.kind) {
    case 'text':
      return sampleText(type, index);
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(type.max?.limit ?? 0, Math.max(type.min?.limit ?? 0, type.kind === 'integer' ? 1 : 0));
    case 'list':
      return [sample(type.of, index)];
    case 'map':
      return { [sampleText(type.keys, index)]: sample(type.of, index) };
    case 'shape':
      return type.name === 'EventSource' ? { type: EVENT_TYPES[index % EVENT_TYPES.length] } : {};
    case 'json':
      return {};
  }
}

function sampleText({ oneOf, formats, reference }: TextType, index: number): string {
  if (oneOf !== undefined) return oneOf.values[index % oneOf.values.length]!;
  if (reference !== undefined) return identifier(reference.kinds[0] as RecordKindName, index);
  const make = formats?.map(({ format }) => HAVING[format]).find(one => one !== undefined);
  return make?.(index) ?? `x${index}`;
}

/** Returns the example's identifier first, then others, of records that no store contains. */
function identifier(kind: RecordKindName, index: number): string {
  return index === 0 ? exampleId(kind) : `${exampleId(kind).slice(0, -4)}${String(index).padStart(4, '0')}`;
}

/** Returns a valid identifier of a record that does not exist. */
export function unknownId(kind: RecordKindName): string {
  return `${exampleId(kind).slice(0, -4)}zzzz`;
}

/** Returns a value of another type than the field's. */
export function ofWrongType({ type }: Field): unknown {
  switch (type.kind) {
    case 'text':
      return 17;
    case 'map':
      return [];
    case 'boolean':
    case 'integer':
    case 'number':
    case 'list':
    case 'shape':
    case 'json':
      return 'wrong';
  }
}

/** Returns a string of exactly this many bytes, in characters of two bytes. */
export function ofBytes(bytes: number): string {
  return `${'é'.repeat(Math.floor(bytes / 2))}${bytes % 2 === 1 ? 'a' : ''}`;
}
