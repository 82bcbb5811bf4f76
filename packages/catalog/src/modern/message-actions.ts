import { duration, HEADERS, ON_ERROR, STRING, URL } from '../actions/config-types.ts';
import { ADD_HEADERS, COMPRESS_RESPONSE, inProfile, LOG, REMOVE_HEADERS } from '../actions/shared-actions.ts';
import type { ActionFact, ConfigType } from '../schema/action-fact.ts';
import { ON_ALL, ON_BOTH, ON_EVENT_STREAM, ON_REQUEST, ON_RESPONSE } from './availability.ts';

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

export const MESSAGE_ACTIONS: readonly ActionFact[] = [
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
