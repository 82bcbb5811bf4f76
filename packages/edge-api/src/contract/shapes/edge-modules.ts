import type { Shape } from '../../definition/field.ts';
import {
  ENABLED,
  field,
  JSON_OBJECT,
  list,
  oneOf,
  PLAIN,
  referenceTo,
  shape,
  text,
} from '../../definition/field-builders.ts';
import { LIMITS } from '../../definition/limits.ts';
import { BACKEND_KINDS } from '../../definition/record-kinds.ts';

const MIN_VERSION = field(
  oneOf(['1.0', '1.1', '1.2', '1.3'], 219),
  { nullable: true },
  'A 2.5, B 1.5',
  'Minimum TLS version that is accepted and advertised in the handshake.',
);

/** Modules shared by several kinds of edges, and the reference in responses. */
export const EDGE_MODULES = {
  Ref: {
    doc: 'A reference to another record.',
    source: 'A 2.1',
    fields: {
      id: field(PLAIN, { use: 'answer' }, 'A 2.1', 'Identifier of the record.'),
      uri: field(PLAIN, { use: 'answer' }, 'A 2.1', 'URI of the record.'),
    },
  },
  EndpointBackend: {
    doc: 'The backend that serves the endpoint.',
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      backend_id: field(
        referenceTo(BACKEND_KINDS, 242, 6501),
        { use: 'request', required: 6501 },
        'B 1.3',
        'Identifier of the backend.',
      ),
      backend: field(shape('Ref'), { use: 'answer', from: 'backend_id' }, 'A 2.8', 'The backend.'),
    },
  },
  EndpointIPPolicy: {
    doc: 'The IP policies that decide whether a source address may reach the endpoint.',
    source: 'A 2.8, 4.9',
    fields: {
      enabled: ENABLED,
      ip_policy_ids: field(
        list(referenceTo(['ip_policy'], 229, 7007), {
          min: { limit: 1, code: 7025 },
          max: { limit: LIMITS.ipPolicies, code: 7013 },
        }),
        { use: 'request', required: 7025 },
        'A 4.9',
        'Identifiers of the IP policies to check source addresses against.',
      ),
      ip_policies: field(
        list(shape('Ref')),
        { use: 'answer', from: 'ip_policy_ids' },
        'A 2.8',
        'The IP policies, in the order sent.',
      ),
    },
  },
  EndpointMutualTLS: {
    doc: 'The certificate authorities that verify client certificates.',
    source: 'A 2.3, 2.4',
    fields: {
      enabled: ENABLED,
      certificate_authority_ids: field(
        list(referenceTo(['certificate_authority'], 228, 7072), {
          max: { limit: LIMITS.certificateAuthorities, code: 7075 },
        }),
        { use: 'request', default: [] },
        'A 2.4',
        'Identifiers of the certificate authorities.',
      ),
      certificate_authorities: field(
        list(shape('Ref')),
        { use: 'answer', from: 'certificate_authority_ids' },
        'A 2.3',
        'The certificate authorities.',
      ),
    },
  },
  EndpointTLSTermination: {
    doc: 'Where TLS is terminated, and the minimum version.',
    source: 'A 2.5',
    fields: {
      enabled: ENABLED,
      terminate_at: field(
        oneOf(['edge', 'upstream'], 224),
        { default: 'upstream' },
        'A 2.5, B 1.5',
        '`edge`: the service terminates TLS; `upstream`: it passes TLS through.',
      ),
      min_version: MIN_VERSION,
    },
    rules: [
      {
        kind: 'refused-when',
        field: 'min_version',
        other: 'terminate_at',
        values: ['upstream'],
        unlessGiven: 'upstream',
        code: 7032,
      },
    ],
  },
  EndpointTLSTerminationAtEdge: {
    doc: 'The minimum TLS version of the service.',
    source: 'A 2.6',
    fields: {
      enabled: ENABLED,
      terminate_at: field(PLAIN, { use: 'answer', default: 'edge' }, 'A 2.5', 'Always `edge`.'),
      min_version: MIN_VERSION,
    },
    refused: { terminate_at: 7109 },
  },
  EndpointPolicy: {
    doc: 'A traffic policy.',
    source: 'A 2.13',
    fields: {
      enabled: ENABLED,
      inbound: field(
        list(shape('EndpointRule')),
        { nullable: true },
        'A 2.13',
        'Rules for inbound traffic; null if none.',
      ),
      outbound: field(
        list(shape('EndpointRule')),
        { nullable: true },
        'A 2.13, 4.8',
        'Rules for outbound traffic; null if none.',
      ),
    },
  },
  EndpointRule: {
    doc: 'A rule of a traffic policy.',
    source: 'A 2.13',
    fields: {
      name: field(PLAIN, { default: '' }, 'A 2.13', 'Name of the rule.'),
      expressions: field(
        list(PLAIN),
        { default: [] },
        'A 2.13',
        'CEL expressions that must all be true for the rule to match.',
      ),
      actions: field(
        list(shape('EndpointAction'), { min: { limit: 1, code: 2206 } }),
        { required: 2206 },
        'A 2.13, B 2.6',
        'Actions of the rule, in order.',
      ),
    },
  },
  EndpointAction: {
    doc: 'An action of a rule.',
    source: 'A 2.13',
    fields: {
      type: field(PLAIN, { required: 2201 }, 'A 2.13', 'Type of the action.'),
      config: field(
        JSON_OBJECT,
        { nullable: true },
        'A 2.13, 4.8',
        'Configuration of the action, stored as sent; null if it has none.',
      ),
    },
  },
  EndpointTrafficPolicy: {
    doc: 'A traffic policy as a string, the newer form of the same module.',
    source: 'B 1.2',
    fields: {
      enabled: ENABLED,
      value: field(
        text({ maxBytes: { limit: LIMITS.policyBytes, code: 2236 } }),
        { required: 2236 },
        'B 1.2',
        'The policy as YAML or JSON.',
      ),
    },
  },
} as const satisfies Record<string, Shape>;
