import type { ActionFact } from '../schema/action-fact.ts';
import {
  ADD_HEADERS,
  COMPRESS_RESPONSE,
  CUSTOM_RESPONSE,
  DENY,
  inProfile,
  jwtValidation,
  LOG,
  NON_EMPTY,
  RATE_LIMIT,
  REDIRECT,
  REMOVE_HEADERS,
  RESTRICT_IPS,
  TOKEN_EXAMPLE,
  URL_REWRITE,
} from '../schema/shared-actions.ts';
import { ALL_INBOUND, EVERYWHERE, HTTP, HTTP_INBOUND } from './objects.ts';

const REPLACEMENT = {
  from: { required: true },
  to: {
    interpolation: 'captures-and-request',
    doc: 'The replacement, which may refer to capture groups (`$1`) and parts of the request (`$args`).',
  },
} as const;

/** The only expressions that a key may consist of. */
const BUCKET_KEY = {
  kind: 'shape',
  patterns: [
    '^req\\.Host$',
    '^conn\\.ClientIP$',
    '^req\\.Headers\\[(\'[^\']+\'|"[^"]+")\\]$',
    '^getReqHeader\\((\'[^\']+\'|"[^"]+")\\)$',
  ],
  expected: "`req.Host`, `conn.ClientIP`, `req.Headers['name']` or `getReqHeader('name')`",
} as const;

/** The actions of the profile. */
export const ACTIONS: readonly ActionFact[] = [
  inProfile(DENY, {
    ...ALL_INBOUND,
    doc: 'Refuses the traffic: a response without a body on HTTP, a closed connection on TLS and TCP. It never reaches the upstream.',
    fields: {
      status_code: {
        type: { kind: 'int', min: 100, max: 999 },
        default: 999,
        doc: 'The status of the response; 999 is not a standard status and is meant to stand out.',
        endpoints: ['https-route'],
      },
    },
    example: { status_code: 403 },
    since: '2024-02-15',
  }),
  inProfile(CUSTOM_RESPONSE, {
    ...HTTP,
    doc: 'Responds in place of the upstream (`inbound`) or replaces its response (`outbound`).',
    fields: { status_code: { type: { kind: 'int', min: 100, max: 999 } }, content: { default: '' } },
    example: {
      status_code: 503,
      content: 'back at noon',
      headers: { 'Content-Type': 'text/plain', 'Retry-After': '1800' },
    },
    since: '2024-02-15',
  }),
  inProfile(REDIRECT, {
    ...HTTP_INBOUND,
    fields: { ...REPLACEMENT, headers: { interpolation: 'path-templates' } },
    example: { from: '^http://', to: 'https://', status_code: 301 },
    since: '2024-03-26',
  }),
  inProfile(URL_REWRITE, {
    ...HTTP_INBOUND,
    fields: REPLACEMENT,
    example: { from: '^(https?://[^/?]+)/v0/users/([0-9]+)', to: '$1/v1/users?id=$2' },
    since: '2024-02-15',
  }),
  inProfile(LOG, {
    ...EVERYWHERE,
    fields: { metadata: { doc: 'The metadata to log, verbatim.' } },
    example: { metadata: { reason: 'slow client' } },
    since: '2024-02-15',
  }),
  inProfile(ADD_HEADERS, {
    ...HTTP,
    doc: 'Adds headers to the request (`inbound`) or to the response (`outbound`). Existing headers are kept, except that `Host` is replaced.',
    fields: { headers: { interpolation: 'path-templates' } },
    example: { headers: { 'X-Client-Country': '${.ngrok.geo.country_code}' } },
    since: '2024-03-26',
  }),
  inProfile(REMOVE_HEADERS, {
    ...HTTP,
    doc: 'Removes headers from the request (`inbound`) or from the response (`outbound`).',
    example: { headers: ['Server', 'X-Powered-By'] },
    since: '2024-03-26',
  }),
  inProfile(COMPRESS_RESPONSE, { ...HTTP, example: { algorithms: ['br', 'gzip'] }, since: '2024-04-09' }),
  inProfile(RESTRICT_IPS, {
    ...ALL_INBOUND,
    example: { enforce: true, allow: ['203.0.113.0/24', '2001:db8::/32'] },
    since: '2024-04-15',
  }),
  inProfile(RATE_LIMIT, {
    ...HTTP_INBOUND,
    fields: { algorithm: { required: true }, bucket_key: { type: { kind: 'list', min: 1, max: 10, of: BUCKET_KEY } } },
    example: {
      name: 'per-client',
      algorithm: 'sliding_window',
      capacity: 100,
      rate: '60s',
      bucket_key: ['conn.ClientIP', "req.Headers['X-Api-Key']"],
    },
    since: '2024-02-15',
  }),
  inProfile(jwtValidation({ hasExpressions: false, keySet: NON_EMPTY, keyFields: [] }), {
    ...HTTP_INBOUND,
    fields: { audience: { required: true } },
    changes: [],
    example: TOKEN_EXAMPLE,
    since: '2024-02-15',
  }),
];
