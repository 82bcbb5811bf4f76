import type { ActionFact } from '../action-fact.ts';
import { ALL_INBOUND, EVERYWHERE, HTTP, HTTP_INBOUND } from './availability.ts';

const HEADER_MAP = { kind: 'map', key: 'header-name', value: { kind: 'string' } } as const;

export const ANSWER_ACTIONS = [
  {
    ...ALL_INBOUND,
    type: 'deny',
    doc: 'Refuses the traffic: a response without body on HTTP, a closed connection on TLS and TCP. The upstream is never reached.',
    terminates: 'always',
    outcome: 'the configured status without a body, or a closed connection',
    config: [
      {
        name: 'status_code',
        type: { kind: 'int', min: 100, max: 999 },
        default: 999,
        doc: 'Status of the response; 999 is not a standard one and meant to stand out.',
        endpoints: ['https-route'],
      },
    ],
    example: { status_code: 403 },
    since: '2024-02-15',
    source: 'documented',
  },
  {
    ...HTTP,
    type: 'custom-response',
    doc: 'Answers in place of the upstream (`inbound`), or replaces what it answered (`outbound`).',
    terminates: 'always',
    outcome: 'the configured response',
    config: [
      {
        name: 'status_code',
        type: { kind: 'int', min: 100, max: 999 },
        default: 200,
        doc: 'Status of the response.',
      },
      { name: 'content', type: { kind: 'string' }, default: '', doc: 'Body of the response.' },
      {
        name: 'headers',
        type: HEADER_MAP,
        default: {},
        doc: 'Headers of the response. The content type is guessed from the content when it is not given.',
      },
    ],
    example: { status_code: 503, content: 'back at noon', headers: { 'Content-Type': 'text/plain' } },
    since: '2024-02-15',
    source: 'documented',
  },
  {
    ...HTTP_INBOUND,
    type: 'redirect',
    doc: 'Answers with a redirect to the URL that replacing makes; does nothing when that leaves the URL as it is.',
    terminates: 'when-the-url-changes',
    outcome: 'a redirect',
    config: [
      {
        name: 'from',
        type: { kind: 'regex' },
        required: true,
        doc: 'What to replace in the whole URL of the request.',
      },
      {
        name: 'to',
        type: { kind: 'string' },
        required: true,
        interpolation: 'captures-and-request',
        doc: 'What to put in its place; may name groups (`$1`) and parts of the request (`$args`).',
      },
      { name: 'status_code', type: { kind: 'int', min: 300, max: 399 }, default: 302, doc: 'Status of the redirect.' },
      {
        name: 'headers',
        type: HEADER_MAP,
        default: {},
        interpolation: 'path-templates',
        doc: 'Headers of the redirect.',
      },
    ],
    example: { from: '^http://', to: 'https://', status_code: 301 },
    since: '2024-03-26',
    source: 'documented',
  },
  {
    ...HTTP_INBOUND,
    type: 'url-rewrite',
    doc: 'Rewrites the URL of the request: every match of a pattern is replaced. Later rules see the new one.',
    terminates: 'never',
    outcome: 'nothing by itself',
    config: [
      {
        name: 'from',
        type: { kind: 'regex' },
        required: true,
        doc: 'What to replace in the whole URL of the request.',
      },
      {
        name: 'to',
        type: { kind: 'string' },
        required: true,
        interpolation: 'captures-and-request',
        doc: 'What to put in its place; may name groups (`$1`) and parts of the request (`$args`).',
      },
    ],
    example: { from: '/v0/users/([0-9]+)', to: '/v1/users?id=$1' },
    since: '2024-02-15',
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    type: 'log',
    doc: 'Puts a note into the event that is written for the traffic.',
    terminates: 'never',
    outcome: 'nothing by itself',
    config: [
      {
        name: 'metadata',
        type: { kind: 'map', value: { kind: 'any' } },
        default: {},
        doc: 'What to note, as it stands.',
      },
    ],
    example: { metadata: { reason: 'slow client' } },
    since: '2024-02-15',
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
