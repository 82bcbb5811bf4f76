import { CHANGED_WITH_HEADERS } from '../actions/changed-inputs.ts';
import type { ActionFact } from '../schema/action-fact.ts';
import { HTTP } from './availability.ts';

const HEADER_MAP = { kind: 'map', key: 'header-name', value: { kind: 'string' } } as const;

export const HEADER_ACTIONS = [
  {
    ...HTTP,
    type: 'add-headers',
    doc: 'Adds headers to the request (`inbound`) or to the response (`outbound`). Existing headers are kept, except that `Host` is replaced.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'no response of its own',
    config: [
      {
        name: 'headers',
        type: HEADER_MAP,
        required: true,
        interpolation: 'path-templates',
        doc: 'The names and values to add.',
      },
    ],
    example: { headers: { 'X-Client-Country': '${.ngrok.geo.country_code}' } },
    since: '2024-03-26',
    source: 'documented',
  },
  {
    ...HTTP,
    type: 'remove-headers',
    doc: 'Removes headers from the request (`inbound`) or from the response (`outbound`).',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'no response of its own',
    config: [
      {
        name: 'headers',
        type: { kind: 'list', of: { kind: 'header-name' } },
        required: true,
        doc: 'The names to remove, in any case.',
      },
    ],
    example: { headers: ['Server', 'X-Powered-By'] },
    since: '2024-03-26',
    source: 'documented',
  },
  {
    ...HTTP,
    type: 'compress-response',
    doc: 'Compresses the body of the response if the client accepts it and it is not compressed already.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'a compressed body',
    config: [
      {
        name: 'algorithms',
        type: { kind: 'list', of: { kind: 'choice', values: ['gzip', 'deflate', 'br', 'compress'] } },
        default: ['gzip', 'deflate', 'br', 'compress'],
        doc: 'The algorithms to use, in order of preference.',
      },
    ],
    example: { algorithms: ['br', 'gzip'] },
    since: '2024-04-09',
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
