import type { Shape } from '../../definition/field.ts';
import {
  BOOLEAN,
  described,
  field,
  list,
  map,
  record,
  referenceTo,
  shape,
  text,
  uint32,
  upTo,
} from '../../definition/field-builders.ts';
import { LIMITS } from '../../definition/limits.ts';

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
