import { CHANGED_WITH_HEADERS } from '../actions/changed-inputs.ts';
import { duration, HEADERS, ON_ERROR, TEXT, URL } from '../actions/config-types.ts';
import type { ActionFact, ConfigType } from '../schema/action-fact.ts';
import { ON_ALL, ON_BOTH, ON_EVENT_STREAM, ON_REQUEST, ON_RESPONSE } from './availability.ts';

const REPLACEMENTS = {
  kind: 'list',
  min: 1,
  of: {
    kind: 'object',
    fields: [
      { name: 'from', type: { kind: 'regex' }, required: true, interpolation: 'expressions', doc: 'What to replace.' },
      {
        name: 'to',
        type: TEXT,
        default: '',
        interpolation: 'captures-and-expressions',
        doc: 'What to put in its place; nothing when not given.',
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
        doc: 'Which part of the event.',
      },
      ...REPLACEMENTS.of.fields,
    ],
  },
} as const satisfies ConfigType;

export const MESSAGE_ACTIONS = [
  {
    ...ON_BOTH,
    type: 'add-headers',
    doc: 'Adds headers to the request or to the response. Headers that are there stay; `host` is replaced.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'nothing by itself',
    config: [
      {
        name: 'headers',
        // The documentation has `is-ngrok: 1` among its examples.
        type: { ...HEADERS, value: { kind: 'string', orScalar: true }, min: 1 },
        required: true,
        interpolation: 'expressions',
        refusedHeaders: ['user-agent'],
        refusals: { 'config/map-size': 2212, 'expression/unclosed-interpolation': 2213 },
        doc: 'Names and values to add; not `user-agent`.',
      },
    ],
    example: { headers: { 'x-client-country': '${conn.geo.country_code}' } },
    source: 'documented',
  },
  {
    ...ON_BOTH,
    type: 'remove-headers',
    doc: 'Removes headers from the request or from the response.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'nothing by itself',
    config: [
      {
        name: 'headers',
        type: { kind: 'list', of: { kind: 'header-name' }, min: 1, max: 10 },
        required: true,
        refusals: { 'config/list-length': 2212 },
        refusedHeaders: ['user-agent'],
        doc: 'Names to remove, in any case; not `user-agent`.',
      },
    ],
    example: { headers: ['server', 'x-powered-by'] },
    source: 'documented',
  },
  {
    ...ON_RESPONSE,
    type: 'compress-response',
    doc: 'Compresses the body of the response where the client accepts it and it is not compressed already.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'a compressed body',
    config: [
      {
        name: 'algorithms',
        type: { kind: 'list', of: { kind: 'choice', values: ['gzip', 'deflate', 'br', 'compress'] }, unique: true },
        default: ['gzip', 'deflate', 'br', 'compress'],
        refusals: { 'config/bad-choice': 2214 },
        doc: 'What may be used, the preferred first.',
      },
    ],
    example: { algorithms: ['br', 'gzip'] },
    source: 'documented',
  },
  {
    ...ON_REQUEST,
    type: 'request-body-find-replace',
    doc: 'Replaces in the body of the request.',
    terminates: 'never',
    isHeavy: true,
    outcome: 'nothing by itself',
    config: [{ name: 'replacements', type: REPLACEMENTS, required: true, doc: 'What to replace, in order.' }],
    example: { replacements: [{ from: 'colour', to: 'color' }] },
    source: 'documented',
  },
  {
    ...ON_RESPONSE,
    type: 'response-body-find-replace',
    doc: 'Replaces in the body of the response.',
    terminates: 'never',
    isHeavy: true,
    outcome: 'another body',
    config: [{ name: 'replacements', type: REPLACEMENTS, required: true, doc: 'What to replace, in order.' }],
    example: { replacements: [{ from: 'http://', to: 'https://' }] },
    source: 'documented',
  },
  {
    ...ON_EVENT_STREAM,
    type: 'sse-find-replace',
    doc: 'Replaces in an event of a stream of server-sent events.',
    terminates: 'never',
    outcome: 'another event',
    config: [{ name: 'replacements', type: STREAM_REPLACEMENTS, required: true, doc: 'What to replace, in order.' }],
    example: { replacements: [{ field: 'data', from: 'secret', to: '' }] },
    since: '2026-07-01',
    source: 'documented',
  },
  {
    ...ON_ALL,
    type: 'log',
    doc: 'Puts a note into the event that is written for the traffic.',
    terminates: 'never',
    changes: [],
    outcome: 'nothing by itself',
    config: [
      {
        name: 'metadata',
        role: 'note',
        type: { kind: 'map', value: { kind: 'any' } },
        default: {},
        interpolation: 'expressions',
        doc: 'What to note.',
      },
    ],
    example: { metadata: { country: '${conn.geo.country_code}' } },
    source: 'documented',
  },
  {
    ...ON_ALL,
    type: 'set-vars',
    doc: 'Sets variables that later expressions of the same phase read below `vars`.',
    terminates: 'never',
    changes: ['vars'],
    outcome: 'nothing by itself',
    config: [
      {
        name: 'vars',
        role: 'variables',
        type: { kind: 'list', of: { kind: 'map', value: { kind: 'any' }, min: 1, max: 1 } },
        required: true,
        limits: { items: 'maxVariables', depth: 'maxVariableDepth' },
        refusals: { 'config/map-size': 2252, 'config/wrong-type': 2252, 'config/list-length': 2255 },
        interpolation: 'expressions',
        doc: 'Maps of one name and its value each. A value that is one `${}` keeps its type.',
      },
    ],
    example: { vars: [{ tier: 'gold' }, { is_local: '${conn.client_ip.isPrivateIp()}' }] },
    source: 'documented',
  },
  {
    ...ON_BOTH,
    type: 'http-request',
    doc: 'Asks another server, and goes on with its answer in `actions.ngrok.http_request`.',
    terminates: 'on-error-if-told-to-halt',
    isHeavy: true,
    outcome: 'nothing by itself, or an error when told to halt on one',
    config: [
      { name: 'url', type: URL, required: true, interpolation: 'expressions', doc: 'URL to ask.' },
      {
        name: 'method',
        type: { kind: 'choice', values: ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] },
        default: 'GET',
        doc: 'Method to ask with.',
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
                doc: 'Its name.',
              },
              {
                name: 'value',
                type: { kind: 'string', max: 8192 },
                required: true,
                interpolation: 'expressions',
                refusals: { 'config/too-long': 2246 },
                doc: 'Its value.',
              },
            ],
          },
        },
        default: [],
        refusals: { 'config/list-length': 2244 },
        doc: 'Parameters of the query.',
      },
      { name: 'headers', type: HEADERS, default: {}, interpolation: 'expressions', doc: 'Headers to send.' },
      { name: 'body', type: TEXT, default: '', interpolation: 'expressions', doc: 'Body to send.' },
      {
        name: 'max_redirects',
        // The list of fields says 0 to 100, the text 0 to 5.
        type: { kind: 'int', min: 0, max: 100 },
        default: 10,
        doc: 'How many redirects to follow.',
      },
      { name: 'timeout', type: duration(1, 30), default: '3s', doc: 'For all attempts together.' },
      {
        name: 'retry_condition',
        type: {
          kind: 'expression',
          result: 'bool',
          variables: [
            { name: 'attempts', type: 'int', doc: 'How many attempts have been made.' },
            { name: 'last_attempt', type: 'http_request_attempt', doc: 'The last of them.' },
          ],
        },
        default: 'false',
        doc: 'Whether to try again, up to three times.',
      },
      { name: 'on_error', type: ON_ERROR, default: 'continue', doc: 'Whether the next action runs after an error.' },
    ],
    example: { url: 'https://auth.internal/check', method: 'POST', retry_condition: 'attempts < 2', timeout: '5s' },
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
