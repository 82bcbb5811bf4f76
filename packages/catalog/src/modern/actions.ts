import type { ActionFact, ConfigType } from '../schema/action-fact.ts';
import {
  ADD_HEADERS,
  COMPRESS_RESPONSE,
  CUSTOM_RESPONSE,
  DENY,
  duration,
  HEADERS,
  inProfile,
  LOG,
  NON_EMPTY,
  ON_ERROR,
  REDIRECT,
  REMOVE_HEADERS,
  STRING,
  URL,
  URL_REWRITE,
} from '../schema/shared-actions.ts';
import { ACCESS_ACTIONS, IDENTITY_ACTIONS } from './access-actions.ts';
import { ON_ALL, ON_BOTH, ON_CONNECT_AND_REQUEST, ON_EVENT_STREAM, ON_REQUEST, ON_RESPONSE } from './availability.ts';

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

const ANSWER_ACTIONS: readonly ActionFact[] = [
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

/** Keys of standard providers are part of the account; refusal 2267 says so. */
const OF_CUSTOM_PROVIDERS = {
  key: 'base_url',
  instead: "remove it and attach provider keys to the gateway's API key",
} as const;

const GATEWAY_ACTIONS = [
  {
    ...ON_REQUEST,
    type: 'ai-gateway',
    doc: 'Routes the request to an AI model provider.',
    terminates: 'always',
    isHeavy: true,
    outcome: 'the response of the provider',
    onlyOneOf: 'ai-gateway',
    config: [
      {
        name: 'providers',
        type: {
          kind: 'list',
          of: {
            kind: 'object',
            open: true,
            fields: [
              { name: 'id', type: STRING, doc: 'The id of the provider.' },
              { name: 'base_url', type: URL, interpolation: 'expressions', doc: 'The URL of a custom provider.' },
              {
                name: 'api_keys',
                type: { kind: 'any' },
                role: 'secret',
                interpolation: 'expressions',
                onlyWith: OF_CUSTOM_PROVIDERS,
                doc: 'The keys of a custom provider.',
              },
              {
                name: 'api_key_selection',
                type: { kind: 'any' },
                onlyWith: OF_CUSTOM_PROVIDERS,
                doc: 'How to choose among the keys.',
              },
            ],
          },
        },
        default: [],
        doc: 'The providers to use.',
      },
    ],
    openConfig: true,
    example: {
      providers: [
        { id: 'openai' },
        { id: 'own', base_url: 'https://models.internal', api_keys: [{ value: "${secrets.get('models', 'key')}" }] },
      ],
    },
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];

const REPLACEMENTS = {
  kind: 'list',
  min: 1,
  of: {
    kind: 'object',
    fields: [
      {
        name: 'from',
        type: { kind: 'regex' },
        required: true,
        interpolation: 'expressions',
        doc: 'The pattern to replace.',
      },
      {
        name: 'to',
        type: STRING,
        default: '',
        interpolation: 'captures-and-expressions',
        doc: 'The replacement; empty by default.',
      },
    ],
  },
} as const satisfies ConfigType;

const STREAM_REPLACEMENTS = {
  ...REPLACEMENTS,
  of: {
    kind: 'object',
    fields: [
      {
        name: 'field',
        type: { kind: 'choice', values: ['data', 'retry'] },
        default: 'data',
        doc: 'The field of the event.',
      },
      ...REPLACEMENTS.of.fields,
    ],
  },
} as const satisfies ConfigType;

const MESSAGE_ACTIONS: readonly ActionFact[] = [
  inProfile(ADD_HEADERS, {
    ...ON_BOTH,
    fields: {
      headers: {
        // An example in the documentation is `is-ngrok: 1`.
        type: { ...HEADERS, value: { kind: 'string', orScalar: true }, min: 1 },
        interpolation: 'expressions',
        refusedHeaders: ['user-agent'],
        refusals: { 'config/map-size': 2212, 'expression/unclosed-interpolation': 2213 },
        doc: 'The names and values to add, except `user-agent`.',
      },
    },
    example: { headers: { 'x-client-country': '${conn.geo.country_code}' } },
  }),
  inProfile(REMOVE_HEADERS, {
    ...ON_BOTH,
    fields: {
      headers: {
        type: { kind: 'list', of: { kind: 'header-name' }, min: 1, max: 10 },
        refusals: { 'config/list-length': 2212 },
        refusedHeaders: ['user-agent'],
        doc: 'The names to remove, in any case, except `user-agent`.',
      },
    },
    example: { headers: ['server', 'x-powered-by'] },
  }),
  inProfile(COMPRESS_RESPONSE, {
    ...ON_RESPONSE,
    fields: {
      algorithms: {
        type: { ...COMPRESS_RESPONSE.config[0].type, unique: true },
        refusals: { 'config/bad-choice': 2214 },
      },
    },
    example: { algorithms: ['br', 'gzip'] },
  }),
  {
    ...ON_REQUEST,
    type: 'request-body-find-replace',
    doc: 'Replaces strings in the body of the request.',
    terminates: 'never',
    isHeavy: true,
    outcome: 'no response of its own',
    config: [{ name: 'replacements', type: REPLACEMENTS, required: true, doc: 'The replacements, in order.' }],
    example: { replacements: [{ from: 'colour', to: 'color' }] },
    source: 'documented',
  },
  {
    ...ON_RESPONSE,
    type: 'response-body-find-replace',
    doc: 'Replaces strings in the body of the response.',
    terminates: 'never',
    isHeavy: true,
    outcome: 'a changed body',
    config: [{ name: 'replacements', type: REPLACEMENTS, required: true, doc: 'The replacements, in order.' }],
    example: { replacements: [{ from: 'http://', to: 'https://' }] },
    source: 'documented',
  },
  {
    ...ON_EVENT_STREAM,
    type: 'sse-find-replace',
    doc: 'Replaces strings in a server-sent event.',
    terminates: 'never',
    outcome: 'a changed event',
    config: [{ name: 'replacements', type: STREAM_REPLACEMENTS, required: true, doc: 'The replacements, in order.' }],
    example: { replacements: [{ field: 'data', from: 'secret', to: '' }] },
    since: '2026-07-01',
    source: 'documented',
  },
  inProfile(LOG, {
    ...ON_ALL,
    fields: { metadata: { interpolation: 'expressions' } },
    example: { metadata: { country: '${conn.geo.country_code}' } },
  }),
  {
    ...ON_ALL,
    type: 'set-vars',
    doc: 'Sets variables that later expressions of the same phase read from `vars`.',
    terminates: 'never',
    changes: ['vars'],
    outcome: 'no response of its own',
    config: [
      {
        name: 'vars',
        role: 'variables',
        type: { kind: 'list', of: { kind: 'map', value: { kind: 'any' }, min: 1, max: 1 } },
        required: true,
        limits: { items: 'maxVariables', depth: 'maxVariableDepth' },
        refusals: { 'config/map-size': 2252, 'config/wrong-type': 2252, 'config/list-length': 2255 },
        interpolation: 'expressions',
        doc: 'Maps with one variable each. A value that consists of a single `${}` keeps its type.',
      },
    ],
    example: { vars: [{ tier: 'gold' }, { is_local: '${conn.client_ip.isPrivateIp()}' }] },
    source: 'documented',
  },
  {
    ...ON_BOTH,
    type: 'http-request',
    doc: 'Sends a request to another server and puts the response into `actions.ngrok.http_request`.',
    terminates: 'on-error-if-told-to-halt',
    isHeavy: true,
    outcome: 'no response of its own, or an error if `on_error` is `halt`',
    config: [
      { name: 'url', type: URL, required: true, interpolation: 'expressions', doc: 'The URL of the request.' },
      {
        name: 'method',
        type: { kind: 'choice', values: ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] },
        default: 'GET',
        doc: 'The method of the request.',
      },
      {
        name: 'query_params',
        type: {
          kind: 'list',
          max: 32,
          of: {
            kind: 'object',
            fields: [
              {
                name: 'key',
                type: { kind: 'string', nonEmpty: true, max: 128 },
                required: true,
                refusals: { 'config/too-long': 2245 },
                doc: 'The name of the parameter.',
              },
              {
                name: 'value',
                type: { kind: 'string', max: 8192 },
                required: true,
                interpolation: 'expressions',
                refusals: { 'config/too-long': 2246 },
                doc: 'The value of the parameter.',
              },
            ],
          },
        },
        default: [],
        refusals: { 'config/list-length': 2244 },
        doc: 'The query parameters.',
      },
      { name: 'headers', type: HEADERS, default: {}, interpolation: 'expressions', doc: 'The headers of the request.' },
      { name: 'body', type: STRING, default: '', interpolation: 'expressions', doc: 'The body of the request.' },
      {
        name: 'max_redirects',
        // The vendor's table of fields says 0 to 100, its description 0 to 5.
        type: { kind: 'int', min: 0, max: 100 },
        default: 10,
        doc: 'The number of redirects to follow.',
      },
      { name: 'timeout', type: duration(1, 30), default: '3s', doc: 'The time limit for all attempts together.' },
      {
        name: 'retry_condition',
        type: {
          kind: 'expression',
          result: 'bool',
          variables: [
            { name: 'attempts', type: 'int', doc: 'The number of attempts so far.' },
            { name: 'last_attempt', type: 'http_request_attempt', doc: 'The last attempt.' },
          ],
        },
        default: 'false',
        doc: 'Whether to retry, up to three times.',
      },
      { name: 'on_error', type: ON_ERROR, default: 'continue', doc: 'Whether the next action runs after an error.' },
    ],
    example: { url: 'https://auth.internal/check', method: 'POST', retry_condition: 'attempts < 2', timeout: '5s' },
    source: 'documented',
  },
];

export const ACTIONS: readonly ActionFact[] = [
  ...ANSWER_ACTIONS,
  ...MESSAGE_ACTIONS,
  ...ACCESS_ACTIONS,
  ...IDENTITY_ACTIONS,
  ...GATEWAY_ACTIONS,
];
