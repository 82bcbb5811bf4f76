import type { Shape } from '../../definition/field.ts';
import {
  BOOLEAN,
  described,
  field,
  list,
  oneOf,
  PLAIN,
  record,
  referenceTo,
  shape,
  TIMESTAMP,
  text,
  upTo,
} from '../../definition/field-builders.ts';
import { LIMITS } from '../../definition/limits.ts';

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
      region: field(PLAIN, { use: 'answer', default: '' }, 'B 1.2', 'Region that the endpoint belongs to.'),
      public_url: field(PLAIN, { use: 'answer' }, 'B 1.2', 'URL of the hostport.'),
      proto: field(PLAIN, { use: 'answer' }, 'B 1.2', '`http`, `https`, `tcp` or `tls`.'),
      hostport: field(PLAIN, { use: 'answer' }, 'B 1.2', 'Hostport, as `host:port`.'),
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
      addr: field(PLAIN, { use: 'answer' }, 'B 1.3', 'The address, as `host:port`; assigned by the service.'),
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
        PLAIN,
        { use: 'answer', nullable: true },
        'B 1.3',
        'Target of the CNAME record of the domain.',
      ),
      acme_challenge_cname_target: field(
        PLAIN,
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
      error_code: field(PLAIN, { use: 'answer', nullable: true }, 'B 1.3', 'Error code if the attempt failed.'),
      msg: field(PLAIN, { use: 'answer' }, 'B 1.3', 'Status message.'),
      started_at: field(TIMESTAMP, { use: 'answer' }, 'B 1.3', 'Start time.'),
      retries_at: field(TIMESTAMP, { use: 'answer', nullable: true }, 'B 1.3', 'Time of the next attempt.'),
    },
  },
} as const satisfies Record<string, Shape>;
