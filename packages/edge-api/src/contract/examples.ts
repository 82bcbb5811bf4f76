// An example of each request body.

import { RECORD_KINDS, type RecordKindName } from '../definition/operation.ts';
import type { ShapeName } from './shapes.ts';

const KSUID = '2cSjwFetnYBX2V3aBcDeFgHiJkL';

/** Returns an example identifier of this record kind. */
export function exampleId(kind: RecordKindName): string {
  return `${RECORD_KINDS[kind].prefix}_${KSUID}`;
}

/** An example certificate authority. Its private key was discarded. */
const CA_PEM = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUWgAwIBAgIUOkxzES0Tz11hDxCM+6ljMPjx2ncwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRRXhhbXBsZSBBdXRob3JpdHkwIBcNMjYxMTIxMDQwMzE4WhgP
MjEyNjEwMjgwNDAzMThaMBwxGjAYBgNVBAMMEUV4YW1wbGUgQXV0aG9yaXR5MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+ZOUBIXr6d5AeNaw8wRCYGYHrgRkPT05
WGE7Gkcs2LBH27nxKbNOVAiIGXERFZLlBURDUoS3nZWy+4yTBMwu0aNjMGEwHQYD
VR0OBBYEFJkGoBhr/BGUIiCxwfA1qGJeH0NXMB8GA1UdIwQYMBaAFJkGoBhr/BGU
IiCxwfA1qGJeH0NXMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG
CCqGSM49BAMCA0kAMEYCIQC0h32QRm59GCaSuUqs1PfiUqrKEXacXQ3KPDTBuuzP
5AIhAJi2KFGgeghyOTugNy5D1HDBXqW3wIgUBZBxfySCGrbB
-----END CERTIFICATE-----
`;

const POLICY = {
  inbound: [
    {
      name: 'hide the admin area',
      expressions: ["req.URL.startsWith('/admin')"],
      actions: [{ type: 'deny', config: { status_code: 404 } }],
    },
  ],
} as const;

const CONNECTION_POLICY = {
  inbound: [{ name: 'block one address', expressions: ["conn.ClientIP == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
} as const;

/** A valid example body for every shape that requests send. */
export const EXAMPLES: Readonly<Partial<Record<ShapeName, Readonly<Record<string, unknown>>>>> = {
  HTTPSEdge: {
    description: 'the shop',
    metadata: '{"team":"web"}',
    hostports: ['shop.example.com:443'],
    mutual_tls: { certificate_authority_ids: [exampleId('certificate_authority')] },
    tls_termination: { min_version: '1.2' },
  },
  HTTPSEdgeRoute: {
    match_type: 'path_prefix',
    match: '/api',
    description: 'the API of the shop',
    backend: { backend_id: exampleId('static_backend') },
    compression: { enabled: true },
    policy: POLICY,
  },
  TLSEdge: {
    description: 'mail',
    hostports: ['mail.example.com:443'],
    backend: { backend_id: exampleId('static_backend') },
    tls_termination: { terminate_at: 'edge', min_version: '1.2' },
  },
  TCPEdge: {
    description: 'the database',
    hostports: ['1.tcp.example.com:20001'],
    backend: { backend_id: exampleId('static_backend') },
    policy: {
      inbound: [{ name: 'office only', expressions: ["conn.ClientIP == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
    },
  },
  EndpointBackend: { backend_id: exampleId('static_backend') },
  EndpointIPPolicy: { ip_policy_ids: [exampleId('ip_policy')] },
  EndpointMutualTLS: { certificate_authority_ids: [exampleId('certificate_authority')] },
  EndpointTLSTermination: { terminate_at: 'edge', min_version: '1.3' },
  EndpointTLSTerminationAtEdge: { min_version: '1.2' },
  EndpointPolicy: CONNECTION_POLICY,
  EndpointTrafficPolicy: { value: JSON.stringify(CONNECTION_POLICY) },
  EndpointCircuitBreaker: {
    tripped_duration: 120,
    rolling_window: 300,
    num_buckets: 128,
    volume_threshold: 20,
    error_threshold_percentage: 0.2,
  },
  EndpointCompression: { enabled: true },
  EndpointRequestHeaders: { add: { 'x-frontend': 'edge' }, remove: ['x-internal'] },
  EndpointResponseHeaders: { add: { 'content-security-policy': "default-src 'self'" }, remove: ['server'] },
  EndpointWebhookValidation: { provider: 'github', secret: 'a shared secret' },
  EndpointWebsocketTCPConverter: { enabled: true },
  EndpointUserAgentFilter: { allow: ['(Mozilla)/(\\d+)'], deny: ['curl/.*'] },
  EndpointOAuth: {
    provider: { google: { email_domains: ['example.com'], scopes: [] } },
    maximum_duration: 86_400,
  },
  EndpointSAML: {
    idp_metadata:
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"></EntityDescriptor>',
  },
  EndpointOIDC: { issuer: 'https://idp.example.com', client_id: 'shop', client_secret: 'a secret', scopes: ['email'] },
  FailoverBackend: {
    description: 'new backend first',
    backends: [exampleId('static_backend'), exampleId('http_response_backend')],
  },
  WeightedBackend: { backends: { [exampleId('static_backend')]: 9, [exampleId('http_response_backend')]: 1 } },
  TunnelGroupBackend: { labels: { app: 'shop' } },
  HTTPResponseBackend: { body: 'Back soon.', headers: { 'content-type': 'text/plain' }, status_code: 503 },
  StaticBackend: { address: 'shop.internal:8080', tls: { enabled: true } },
  IPPolicy: { description: 'the office' },
  IPPolicyRule: { cidr: '192.0.2.0/24', ip_policy_id: exampleId('ip_policy'), action: 'allow' },
  IPRestriction: { type: 'api', enforced: false, ip_policy_ids: [exampleId('ip_policy')] },
  CertificateAuthority: { description: 'devices', ca_pem: CA_PEM },
  EventDestination: {
    format: 'json',
    target: { http: { url: 'https://events.example.com/hook', secret: 'a secret' } },
  },
  EventSubscription: {
    sources: [{ type: 'ip_policy_created.v0' }],
    destination_ids: [exampleId('event_destination')],
  },
  EventSource: { type: 'ip_policy_updated.v0' },
  APIKey: { description: 'deployments' },
  Endpoint: { url: 'https://app.example.com', type: 'cloud', traffic_policy: '' },
  ReservedAddr: { description: 'the database', region: 'eu' },
  ReservedDomain: { domain: 'shop.example.com', region: 'eu' },
};
