import { HEADERS, NON_EMPTY, ON_ERROR, STRING, URL } from '../actions/config-types.ts';
import { CUSTOM_RESPONSE, DENY, inProfile, REDIRECT, URL_REWRITE } from '../actions/shared-actions.ts';
import type { ActionFact } from '../schema/action-fact.ts';
import { ON_BOTH, ON_CONNECT_AND_REQUEST, ON_REQUEST } from './availability.ts';

const RESPONSE_HEADERS = { type: HEADERS, interpolation: 'expressions' } as const;

const REPLACEMENT = {
  from: {
    interpolation: 'expressions',
    doc: 'The pattern to replace in the URL of the request; the whole URL by default.',
  },
  to: {
    type: NON_EMPTY,
    interpolation: 'captures-and-expressions',
    doc: 'The replacement, which may refer to capture groups (`$1`) and contain expressions (`${req.url.query}`).',
  },
} as const;

export const ANSWER_ACTIONS: readonly ActionFact[] = [
  {
    ...ON_CONNECT_AND_REQUEST,
    type: 'close-connection',
    doc: 'Closes the connection without a response.',
    terminates: 'always',
    changes: [],
    outcome: 'a closed connection',
    config: [],
    example: undefined,
    source: 'documented',
  },
  inProfile(DENY, {
    ...ON_CONNECT_AND_REQUEST,
    doc: 'Refuses the traffic: a response without a body, or a closed connection if there is no request yet.',
    fields: { status_code: { default: 403, phases: ['on_http_request'] } },
    example: { status_code: 401 },
  }),
  inProfile(CUSTOM_RESPONSE, {
    ...ON_BOTH,
    doc: 'Responds in place of the upstream (`on_http_request`) or replaces its response (`on_http_response`).',
    fields: {
      content: { interpolation: 'expressions', deprecated: { use: 'body', since: '2025-05-01' } },
      headers: {
        ...RESPONSE_HEADERS,
        doc: 'The headers of the response. Without a content type, it is detected from the body.',
      },
    },
    after: {
      status_code: [
        {
          name: 'body',
          role: 'body',
          type: STRING,
          default: '',
          interpolation: 'expressions',
          doc: 'The body of the response.',
        },
      ],
    },
    example: {
      status_code: 503,
      body: 'back at noon, ${conn.client_ip}',
      headers: { 'content-type': 'text/plain', 'retry-after': '1800' },
    },
  }),
  inProfile(REDIRECT, {
    ...ON_REQUEST,
    fields: {
      ...REPLACEMENT,
      status_code: { type: { kind: 'int', min: 301, max: 308, values: [301, 302, 303, 307, 308] } },
      headers: RESPONSE_HEADERS,
    },
    example: { from: '^http://', to: 'https://', status_code: 301 },
  }),
  inProfile(URL_REWRITE, {
    ...ON_REQUEST,
    fields: REPLACEMENT,
    example: { from: '^(https?://[^/?]+)/v0/users/([0-9]+)', to: '$1/v1/users?id=$2' },
  }),
  {
    ...ON_CONNECT_AND_REQUEST,
    type: 'forward-internal',
    doc: 'Forwards the traffic to an internal endpoint of the same account.',
    terminates: 'unless-told-to-continue',
    changes: [],
    outcome: 'the response of the internal endpoint',
    config: [
      {
        name: 'url',
        type: URL,
        required: true,
        interpolation: 'expressions',
        doc: 'The URL of the internal endpoint, with its scheme.',
      },
      {
        name: 'on_error',
        type: ON_ERROR,
        default: 'halt',
        doc: 'Whether the next action runs if forwarding fails.',
      },
      {
        name: 'binding',
        type: STRING,
        deprecated: { use: undefined },
        doc: 'Formerly always `internal`.',
      },
    ],
    example: { url: 'https://users.internal' },
    since: '2024-09-01',
    source: 'documented',
  },
];
