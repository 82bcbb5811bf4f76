import { CHANGED_WITH_HEADERS } from '../actions/changed-inputs.ts';
import type { ActionFact } from '../schema/action-fact.ts';
import { HTTP } from './availability.ts';

const HEADER_MAP = { kind: 'map', key: 'header-name', value: { kind: 'string' } } as const;

export const HEADER_ACTIONS = [
  {
    ...HTTP,
    type: 'add-headers',
    doc: 'Adds headers: to the request in `inbound`, to the response in `outbound`. Headers that are there stay; `Host` is replaced.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'nothing by itself',
    config: [
      {
        name: 'headers',
        type: HEADER_MAP,
        required: true,
        interpolation: 'path-templates',
        doc: 'Names and values to add.',
      },
    ],
    example: { headers: { 'X-Client-Country': '${.ngrok.geo.country_code}' } },
    since: '2024-03-26',
    source: 'documented',
  },
  {
    ...HTTP,
    type: 'remove-headers',
    doc: 'Removes headers: from the request in `inbound`, from the response in `outbound`.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'nothing by itself',
    config: [
      {
        name: 'headers',
        type: { kind: 'list', of: { kind: 'header-name' } },
        required: true,
        doc: 'Names to remove, in any case.',
      },
    ],
    example: { headers: ['Server', 'X-Powered-By'] },
    since: '2024-03-26',
    source: 'documented',
  },
  {
    ...HTTP,
    type: 'compress-response',
    doc: 'Compresses the body of the response where the client accepts it and it is not compressed already.',
    terminates: 'never',
    changes: CHANGED_WITH_HEADERS,
    outcome: 'a compressed body',
    config: [
      {
        name: 'algorithms',
        type: { kind: 'list', of: { kind: 'choice', values: ['gzip', 'deflate', 'br', 'compress'] } },
        default: ['gzip', 'deflate', 'br', 'compress'],
        doc: 'What may be used, the preferred first.',
      },
    ],
    example: { algorithms: ['br', 'gzip'] },
    since: '2024-04-09',
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
