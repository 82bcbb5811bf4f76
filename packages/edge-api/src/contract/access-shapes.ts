// The shapes of IP policies, certificate authorities and keys, of domains, addresses and certificates, and of backends.

import {
  BOOLEAN,
  described,
  field,
  list,
  map,
  oneOf,
  PLAIN_TEXT,
  record,
  referenceTo,
  type Shape,
  shape,
  TIMESTAMP,
  text,
  uint32,
  upTo,
} from '../definition/field.ts';
import { LIMITS } from '../definition/wire.ts';

const IP_TEXTS = { description: 1421, metadata: 1421 };
const CA_TEXTS = { description: 1914, metadata: 1915 };
const KEY_TEXTS = { description: 604, metadata: 605 };

/** Access control: IP policies, certificate authorities and API keys. */
export const ACCESS = {
  IPPolicy: {
    doc: 'A set of rules for source addresses.',
    source: 'B 1.3',
    fields: { ...record('IP policy', 'B 1.3'), ...described('B 1.3', IP_TEXTS) },
    refused: { action: 1423 },
  },
  IPPolicyRule: {
    doc: 'A rule of an IP policy.',
    source: 'B 1.3',
    fields: {
      ...record('IP policy rule', 'B 1.3'),
      ...described('B 1.3', IP_TEXTS),
      cidr: field(
        text({
          formats: [
            { format: 'not-empty', code: 1405 },
            { format: 'cidr-mask', code: 1413 },
            { format: 'cidr', code: 1406 },
            { format: 'cidr-lowest-address', code: 1409 },
          ],
        }),
        { required: 1405 },
        'B 1.3, 1.5',
        'Address range of the rule in CIDR notation, without host bits.',
      ),
      ip_policy_id: field(
        referenceTo(['ip_policy'], 1414, 1402),
        { use: 'request', required: 1405, immutable: true },
        'B 1.3',
        'Identifier of the IP policy that the rule belongs to.',
      ),
      ip_policy: field(
        shape('Ref'),
        { use: 'answer', from: 'ip_policy_id' },
        'B 1.3',
        'The IP policy that the rule belongs to.',
      ),
      action: field(
        oneOf(['allow', 'deny'], 1422),
        { default: 'allow', immutable: true },
        'B 1.3, 1.5',
        'What happens to traffic from these addresses.',
      ),
    },
  },
  IPRestriction: {
    doc: 'IP policies that restrict access to the whole account.',
    source: 'B 1.3',
    fields: {
      ...record('IP restriction', 'B 1.3'),
      ...described('B 1.3', IP_TEXTS),
      enforced: field(BOOLEAN, { default: false }, 'B 1.3, 1.5', 'Whether the restriction is enforced or only stored.'),
      type: field(
        oneOf(['dashboard', 'api', 'agent', 'endpoints'], 215),
        { required: 1405, immutable: true },
        'B 1.3, 1.5',
        'What is restricted.',
      ),
      ip_policy_ids: field(
        list(referenceTo(['ip_policy'], 229, 1402), {
          min: { limit: 1, code: 7025 },
          max: { limit: LIMITS.ipPolicies, code: 7013 },
        }),
        { use: 'request', required: 7025, emptyIsAbsent: true },
        'B 1.3',
        'Identifiers of the IP policies.',
      ),
      ip_policies: field(list(shape('Ref')), { use: 'answer', from: 'ip_policy_ids' }, 'B 1.3', 'The IP policies.'),
    },
  },
  CertificateAuthority: {
    doc: 'A certificate authority that verifies client certificates.',
    source: 'B 1.3',
    fields: {
      ...record('certificate authority', 'B 1.3'),
      ...described('B 1.3', CA_TEXTS),
      ca_pem: field(
        text({
          maxBytes: { limit: LIMITS.certificateBytes, code: 1921 },
          formats: [
            { format: 'not-empty', code: 1919 },
            { format: 'pem', code: 1910 },
            { format: 'pem-certificate', code: 1911 },
            { format: 'pem-single', code: 1912 },
            { format: 'x509', code: 1920 },
            { format: 'x509-authority', code: 1913 },
          ],
        }),
        { required: 1919, immutable: true },
        'B 1.3',
        'The certificate in PEM.',
      ),
      subject_common_name: field(PLAIN_TEXT, { use: 'answer' }, 'B 1.3', 'Common name of the subject.'),
      not_before: field(TIMESTAMP, { use: 'answer' }, 'B 1.3', 'Start of the validity period.'),
      not_after: field(TIMESTAMP, { use: 'answer' }, 'B 1.3', 'End of the validity period.'),
      key_usages: field(list(PLAIN_TEXT), { use: 'answer' }, 'B 1.3', 'Key usages.'),
      extended_key_usages: field(list(PLAIN_TEXT), { use: 'answer' }, 'B 1.3', 'Extended key usages.'),
    },
  },
  APIKey: {
    doc: 'A key for this API.',
    source: 'B 1.3',
    fields: {
      ...record('API key', 'B 1.3'),
      ...described('B 1.3', KEY_TEXTS),
      owner_id: field(
        text({ reference: { kinds: ['user', 'bot'], malformed: 243, missing: 630 } }),
        { nullable: true, immutable: true },
        'B 1.3',
        'Identifier of the user or bot that the key belongs to.',
      ),
      token: field(
        PLAIN_TEXT,
        { use: 'answer', nullable: true, secret: 'once' },
        'B 1.3, 1.6',
        'The key itself: returned at creation, null afterwards.',
      ),
    },
  },
} as const satisfies Record<string, Shape>;

const ENDPOINT_TEXTS = { description: 215, metadata: 215 };

function nullableRef(doc: string) {
  return { type: shape('Ref'), use: 'answer', nullable: true, doc, source: 'B 1.2' } as const;
}

/** Endpoints, and reservations of the hostports of edges. */
export const HOSTS = {
  Endpoint: {
    doc: 'A URL served by an edge, or by a cloud endpoint with its own traffic policy.',
    source: 'B 1.2',
    fields: {
      ...record('endpoint', 'B 1.2'),
      updated_at: field(TIMESTAMP, { use: 'answer' }, 'B 1.2', 'Time of the last change to the endpoint, RFC 3339.'),
      ...described('B 1.2', ENDPOINT_TEXTS),
      url: field(
        text({ maxBytes: { limit: 2048, code: 2226 }, formats: [{ format: 'url', code: 2226 }] }),
        { required: 2226 },
        'B 1.2',
        'URL that the endpoint serves.',
      ),
      type: field(
        oneOf(['cloud', 'edge', 'ephemeral'], 215),
        { default: 'cloud', immutable: true },
        'B 1.2',
        '`cloud`: served by this record; `edge`: by an edge; `ephemeral`: by an agent.',
      ),
      traffic_policy: field(
        upTo(LIMITS.policyBytes, 2236),
        { default: '' },
        'B 1.2',
        'Traffic policy as YAML or JSON.',
      ),
      bindings: field(
        list(oneOf(['public', 'internal', 'kubernetes'], 215), { max: { limit: 1, code: 215 } }),
        { default: ['public'] },
        'B 1.2',
        'Where the endpoint can be reached from.',
      ),
      pooling_enabled: field(BOOLEAN, { default: false }, 'B 1.2', 'Whether other endpoints may share the URL.'),
      region: field(PLAIN_TEXT, { use: 'answer', default: '' }, 'B 1.2', 'Region that the endpoint belongs to.'),
      public_url: field(PLAIN_TEXT, { use: 'answer' }, 'B 1.2', 'URL of the hostport.'),
      proto: field(PLAIN_TEXT, { use: 'answer' }, 'B 1.2', '`http`, `https`, `tcp` or `tls`.'),
      hostport: field(PLAIN_TEXT, { use: 'answer' }, 'B 1.2', 'Hostport, as `host:port`.'),
      domain: nullableRef('Domain that is reserved for the endpoint.'),
      tcp_addr: nullableRef('Address that is reserved for the endpoint.'),
      tunnel: nullableRef('Tunnel that serves the endpoint.'),
      edge: nullableRef('Edge that serves the endpoint.'),
    },
  },
  ReservedAddr: {
    doc: 'An address that is reserved for TCP edges.',
    source: 'B 1.3',
    fields: {
      ...record('reserved address', 'B 1.3'),
      ...described('B 1.3', { description: 215, metadata: 215 }),
      addr: field(PLAIN_TEXT, { use: 'answer' }, 'B 1.3', 'The address, as `host:port`; assigned by the service.'),
      region: field(
        upTo(LIMITS.textBytes, 215),
        { default: 'us', immutable: true },
        'B 1.3',
        'Region that the address is in.',
      ),
    },
  },
  ReservedDomain: {
    doc: 'A domain that is reserved for HTTPS and TLS edges.',
    source: 'B 1.3',
    fields: {
      ...record('reserved domain', 'B 1.3'),
      ...described('B 1.3', { description: 215, metadata: 215 }),
      domain: field(
        text({ maxBytes: { limit: 253, code: 215 }, formats: [{ format: 'domain', code: 215 }], lowerCased: true }),
        { required: 215, immutable: true },
        'B 1.3',
        'The domain.',
      ),
      region: field(
        upTo(LIMITS.textBytes, 215),
        { default: 'us', immutable: true },
        'B 1.3',
        'Region that the domain is in.',
      ),
      certificate_id: field(
        referenceTo(['tls_certificate'], 227, 223),
        { use: 'request', nullable: true },
        'B 1.3',
        'Identifier of the certificate of the domain.',
      ),
      certificate: { ...nullableRef('Certificate of the domain.'), from: 'certificate_id' },
      certificate_management_policy: {
        type: shape('ReservedDomainCertPolicy'),
        nullable: true,
        doc: 'How certificates of the domain are obtained; null if they are not.',
        source: 'B 1.3',
      },
      resolves_to: field(
        list(shape('ReservedDomainResolvesToEntry')),
        { default: [], emptyIsAbsent: true, extension: true },
        'extension',
        'Regions that the domain resolves to, which later clients send; stored, not used.',
      ),
      certificate_management_status: {
        type: shape('ReservedDomainCertStatus'),
        use: 'answer',
        nullable: true,
        doc: 'State of certificate provisioning.',
        source: 'B 1.3',
      },
      cname_target: field(
        PLAIN_TEXT,
        { use: 'answer', nullable: true },
        'B 1.3',
        'Target of the CNAME record of the domain.',
      ),
      acme_challenge_cname_target: field(
        PLAIN_TEXT,
        { use: 'answer', nullable: true },
        'B 1.3',
        'Target of the CNAME record of the ACME challenge name.',
      ),
    },
  },
  ReservedDomainResolvesToEntry: {
    doc: 'A region that a domain resolves to.',
    source: 'extension',
    extension: true,
    fields: {
      value: field(upTo(LIMITS.textBytes, 215), { default: '', extension: true }, 'extension', 'Name of the region.'),
    },
  },
  ReservedDomainCertPolicy: {
    doc: 'How certificates of a domain are obtained.',
    source: 'B 1.3',
    fields: {
      authority: field(oneOf(['letsencrypt'], 215), { default: 'letsencrypt' }, 'B 1.3', 'Issuer of the certificates.'),
      private_key_type: field(
        oneOf(['rsa', 'ecdsa'], 215),
        { default: 'ecdsa' },
        'B 1.3',
        'Type of their private keys.',
      ),
    },
  },
  ReservedDomainCertStatus: {
    doc: 'State of certificate provisioning.',
    source: 'B 1.3',
    fields: {
      renews_at: field(TIMESTAMP, { use: 'answer', nullable: true }, 'B 1.3', 'Time of the next renewal.'),
      provisioning_job: {
        type: shape('ReservedDomainCertJob'),
        use: 'answer',
        nullable: true,
        doc: 'The current attempt.',
        source: 'B 1.3',
      },
    },
  },
  ReservedDomainCertJob: {
    doc: 'An attempt to obtain a certificate.',
    source: 'B 1.3',
    fields: {
      error_code: field(PLAIN_TEXT, { use: 'answer', nullable: true }, 'B 1.3', 'Error code if the attempt failed.'),
      msg: field(PLAIN_TEXT, { use: 'answer' }, 'B 1.3', 'Status message.'),
      started_at: field(TIMESTAMP, { use: 'answer' }, 'B 1.3', 'Start time.'),
      retries_at: field(TIMESTAMP, { use: 'answer', nullable: true }, 'B 1.3', 'Time of the next attempt.'),
    },
  },
} as const satisfies Record<string, Shape>;

const BACKEND_TEXTS = { description: 6503, metadata: 6504 };

/** Backends that a failover or weighted backend may contain, which excludes those two kinds (B 1.5). */
const LEAVES = ['http_response_backend', 'static_backend', 'tunnel_group_backend'] as const;
const FAILOVER_CHILD = referenceTo([...LEAVES, 'weighted_backend'], 6525, 6501);
const WEIGHTED_CHILD = text({ reference: { kinds: LEAVES, malformed: 6524, missing: 6501 } });

const WEIGHT = {
  kind: 'integer',
  min: { limit: 0, code: 6512 },
  max: { limit: LIMITS.weight, code: 6512 },
} as const;

function backend(source: string) {
  return { ...record('backend', source), ...described(source, BACKEND_TEXTS) } as const;
}

/** The shapes of all backends. */
export const BACKENDS = {
  FailoverBackend: {
    doc: 'A backend that sends traffic to the first available child.',
    source: 'A 2.15',
    fields: {
      ...backend('A 2.15'),
      backends: field(
        list(FAILOVER_CHILD, { max: { limit: LIMITS.children, code: 6513 } }),
        { default: [], emptyIsAbsent: true },
        'A 2.15',
        'Identifiers of the children, in order.',
      ),
    },
  },
  WeightedBackend: {
    doc: 'A backend that distributes traffic among its children by weight.',
    source: 'B 1.3',
    fields: {
      ...backend('B 1.3'),
      backends: field(
        map(WEIGHT, { keys: WEIGHTED_CHILD, max: { limit: LIMITS.children, code: 6511 } }),
        { default: {}, emptyIsAbsent: true },
        'B 1.3, 1.5',
        `Identifiers of the children with their weights, 0 to ${LIMITS.weight}.`,
      ),
    },
  },
  TunnelGroupBackend: {
    doc: 'A backend of all tunnels with these labels.',
    source: 'B 1.3',
    fields: {
      ...backend('B 1.3'),
      labels: field(
        map(upTo(LIMITS.labelValueBytes, 6510), {
          keys: upTo(LIMITS.labelKeyBytes, 6509),
          max: { limit: LIMITS.labels, code: 6508 },
        }),
        { default: {}, emptyIsAbsent: true },
        'B 1.3',
        'Labels that a tunnel must have.',
      ),
      tunnels: field(
        list(shape('Ref')),
        { use: 'answer', default: [] },
        'B 1.3',
        'Tunnels that match; always empty, because no agents connect to this service.',
      ),
    },
  },
  HTTPResponseBackend: {
    doc: 'A backend that returns a fixed response.',
    source: 'B 1.3',
    fields: {
      ...backend('B 1.3'),
      body: field(upTo(LIMITS.responseBodyBytes, 6516), { default: '' }, 'B 1.3', 'Body of the response.'),
      headers: field(
        map(
          text({
            formats: [{ format: 'header-value', code: 7024 }],
            maxBytes: { limit: LIMITS.headerValueBytes, code: 6523 },
          }),
          {
            keys: text({
              formats: [{ format: 'header-name', code: 7023 }],
              maxBytes: { limit: LIMITS.headerNameBytes, code: 6522 },
              lowerCased: true,
            }),
            uniqueKeys: 7069,
          },
        ),
        { default: {} },
        'B 1.3, 1.5',
        'Headers of the response; names are returned in lower case.',
      ),
      status_code: field(
        uint32({ min: { limit: 100, code: 6517 }, max: { limit: 599, code: 6517 } }),
        { default: 200 },
        'B 1.3',
        'Status of the response.',
      ),
    },
  },
  StaticBackend: {
    doc: 'A backend at a fixed address.',
    source: 'B 1.3',
    fields: {
      ...backend('B 1.3'),
      address: field(
        text({
          formats: [
            { format: 'not-empty', code: 6505 },
            { format: 'host-and-port', code: 6506 },
            { format: 'port-range', code: 6507 },
          ],
        }),
        { required: 6505, emptyIsAbsent: true },
        'B 1.3',
        'Destination of traffic, as `host:port`.',
      ),
      tls: field(shape('StaticBackendTLS'), { default: { enabled: false } }, 'B 1.3', 'TLS towards the backend.'),
    },
  },
  StaticBackendTLS: {
    doc: 'TLS towards a static backend.',
    source: 'B 1.3',
    fields: { enabled: field(BOOLEAN, { default: false }, 'B 1.3, 1.5', 'Whether to use TLS.') },
  },
} as const satisfies Record<string, Shape>;
