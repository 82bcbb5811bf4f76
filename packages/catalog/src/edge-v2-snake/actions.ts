import { ACTIONS as EDGE_V2_ACTIONS } from '../edge-v2/actions.ts';
import { ALL_INBOUND } from '../edge-v2/availability.ts';
import type { ActionFact, ConfigField, ConfigType, Interpolation } from '../schema/action-fact.ts';
import type { Sample } from '../schema/fact.ts';

/** Fields without interpolation in edge-v2 that have it here, by action. */
const FILLED_IN: Readonly<Record<string, readonly string[]>> = {
  'custom-response': ['content', 'headers'],
  log: ['metadata'],
};

const EXAMPLES: Readonly<Record<string, Sample>> = {
  'add-headers': { headers: { 'x-client-country': '${conn.geo.country_code}' } },
  'rate-limit': {
    name: 'per-client',
    algorithm: 'sliding_window',
    capacity: 100,
    rate: '60s',
    bucket_key: ['conn.client_ip', "getReqHeader('x-api-key')"],
  },
};

const FORMAT: ConfigField = {
  name: 'format',
  type: { kind: 'string' },
  default: 'ngrok',
  doc: 'The syntax for parts of the request in `to`; `ngrok` means variables such as `$args`.',
  deprecated: { use: undefined },
};

/** The actions of edge-v2 with interpolated expressions, and those that were introduced before the phases were renamed. */
export const ACTIONS: readonly ActionFact[] = [
  ...EDGE_V2_ACTIONS.map(withExpressions),
  {
    ...ALL_INBOUND,
    type: 'forward-internal',
    doc: 'Forwards the traffic to an internal endpoint of the same account.',
    terminates: 'always',
    changes: [],
    outcome: 'the response of the internal endpoint',
    config: [
      {
        name: 'url',
        type: { kind: 'string', nonEmpty: true },
        required: true,
        interpolation: 'expressions',
        doc: 'The URL of the internal endpoint.',
      },
      {
        name: 'binding',
        type: { kind: 'choice', values: ['internal'] },
        default: 'internal',
        doc: 'Always `internal`.',
      },
    ],
    example: { url: 'https://users.internal', binding: 'internal' },
    since: '2024-09-01',
    source: 'documented',
  },
];

function withExpressions(fact: ActionFact): ActionFact {
  const fields = fact.config.map(field => adaptField(field, FILLED_IN[fact.type] ?? []));
  const config = ['url-rewrite', 'redirect'].includes(fact.type) ? [...fields, FORMAT] : fields;
  return { ...fact, config, example: EXAMPLES[fact.type] ?? fact.example };
}

function adaptField(field: ConfigField, filledIn: readonly string[]): ConfigField {
  const type: ConfigType =
    field.name === 'bucket_key' ? { kind: 'list', min: 1, max: 10, of: { kind: 'expression' } } : field.type;
  const interpolation = filledIn.includes(field.name) ? 'expressions' : newInterpolation(field.interpolation);
  return { ...field, type, ...(interpolation && { interpolation }) };
}

function newInterpolation(before: Interpolation | undefined): Interpolation | undefined {
  if (before === 'captures-and-request') return 'captures-request-and-expressions';
  return before && 'expressions';
}
